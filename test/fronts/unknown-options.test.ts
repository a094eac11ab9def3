import { expect, expectTypeOf, test } from "vitest";
import { isEmulatorError } from "../../src/core/errors/emulator-error.ts";
import * as contractEntry from "../../src/fronts/vitest/contract.ts";
import * as mswEntry from "../../src/fronts/msw/index.ts";
import * as nodeEntry from "../../src/fronts/node/index.ts";
import * as browserEntry from "../../src/fronts/page/browser/index.ts";
import * as workerEntry from "../../src/fronts/page/worker/index.ts";
import * as viteEntry from "../../src/fronts/vite/index.ts";
import * as vitestEntry from "../../src/fronts/vitest/index.ts";
import * as mainEntry from "../../src/index.ts";
import manifest from "../../package.json" with { type: "json" };

// What JavaScript callers do, types do not allow.
type Call = (...args: readonly unknown[]) => unknown;

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
const emulator = await mainEntry.createEmulator({ fixtures });
const remote = nodeEntry.connect("http://127.0.0.1:9");

/** No options: each argument is a name, a row, or what is checked as a whole. */
const none = "no options";

/** How each function of an entry is called with an option that is misspelt, and the option that is meant. */
const calls: Readonly<
  Record<
    string,
    Readonly<Record<string, typeof none | readonly [(call: Call) => unknown, string][]>>
  >
> = {
  ".": {
    createEmulator: [
      [(call) => call({ fixturs: {} }), "fixtures"],
      [(call) => call({ sed: 1 }), "seed"],
      [(call) => call({ profiles: { cht: "openai" } }), "chat"],
      [(call) => call({ observer: { warnd: () => undefined } }), "warned"],
    ],
    isEmulatorError: none,
    // A class: its options are written by Backlot.
    EmulatorError: none,
  },
  "./node": {
    connect: [[(call) => call("http://127.0.0.1:9", { controlTokn: "x" }), "controlToken"]],
    loadFixtures: [[(call) => call("fixtures", { skipUnsuported: true }), "skipUnsupported"]],
    middleware: [[(call) => call({ prot: 1 }), "createEmulator"]],
    serveTests: [
      [(call) => call(emulator, { prot: 1 }), "port"],
      [(call) => call({ prot: 1 }), "createEmulator"],
    ],
    startServer: [
      [(call) => call(emulator, { prot: 1 }), "port"],
      [(call) => call(emulator, { hots: "::" }), "host"],
      [(call) => call({ prot: 1 }), "createEmulator"],
    ],
  },
  "./msw": {
    handlers: [[(call) => call({ fixturs: {} }), "createEmulator"]],
    // Options of msw, which checks them.
    refuseUnhandled: none,
  },
  "./browser": {
    startWorker: [
      [(call) => call({ fixturs: {} }), "fixtures"],
      [(call) => call({ serviceWorker: { ulr: "/w.js" } }), "url"],
    ],
  },
  "./worker": { startWorker: [[(call) => call({ presist: "tab" }), "persist"]] },
  "./vite": {
    backlot: [[(call) => call({ mod: "msw" }), "mode"]],
    default: [[(call) => call({ mod: "msw" }), "mode"]],
  },
  "./vitest": {
    createTest: [
      [(call) => call({ fixturs: {} }), "fixtures"],
      [(call) => call({ emulator, form: "x" }), "from"],
      [(call) => call({ url: "http://127.0.0.1:9", controlTokn: "x" }), "controlToken"],
      [(call) => call({ recording: { upstrem: "http://x.test" } }), "upstream"],
      [(call) => call({ recording: { upstream: "http://x.test" }, sed: 1 }), "seed"],
    ],
    journalMatchers: [
      [() => expect(emulator).toHaveBeenAsked({ metod: "GET" } as object), "method"],
    ],
  },
  "./contract": { describeContract: [[(call) => call({ agianst: "http://x.test" }), "against"]] },
};

const entries: Readonly<Record<string, object>> = {
  ".": mainEntry,
  "./node": nodeEntry,
  "./msw": mswEntry,
  "./browser": browserEntry,
  "./worker": workerEntry,
  "./vite": viteEntry,
  "./vitest": vitestEntry,
  "./contract": contractEntry,
};

test("the entries of the package are all looked at, with all that they export", () => {
  const withCode = Object.entries(manifest.exports)
    .filter(([, entry]) => typeof entry === "object" && "default" in entry)
    .map(([name]) => name);
  expect(Object.keys(entries).toSorted()).toEqual(withCode.toSorted());
  for (const [name, entry] of Object.entries(entries)) {
    expect(Object.keys(calls[name] ?? {}).toSorted(), name).toEqual(Object.keys(entry).toSorted());
  }
});

const walked = Object.entries(calls).flatMap(([entry, functions]) =>
  Object.entries(functions).flatMap(([name, ways]) =>
    ways === none ? [] : ways.map(([run, meant]) => ({ entry, name, run, meant })),
  ),
);

/** The error of a call, thrown at once or later. */
async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

function expectRefusal(error: unknown, meant: string): void {
  expect(isEmulatorError(error), String(error)).toBe(true);
  expect(error).toMatchObject({ code: expect.stringMatching(/_INVALID$|_REFUSED$/) });
  expect(String(error)).toMatch(new RegExp(`Did you mean "${meant}"|${meant}`));
}

test.each(walked)(
  "$name of $entry refuses an option that is misspelt for $meant",
  async ({ entry, name, run, meant }) => {
    const call: unknown = Object.entries(entries[entry] ?? {}).find(([key]) => key === name)?.[1];
    expectRefusal(await errorOf(() => run(call as Call)), meant);
  },
);

/** The functions of an object and of its parts, by path. */
function functionsOf(object: object, path = ""): readonly string[] {
  return Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (typeof value === "function") return [at];
    const isPart = typeof value === "object" && value !== null && name !== "core";
    return isPart ? functionsOf(value, at) : [];
  });
}

/** What the functions of an emulator do with an unknown option. */
const members: Readonly<Record<string, typeof none | readonly [() => unknown, string]>> = {
  fetch: none,
  "tables.users.rows": none,
  "tables.users.get": none,
  "tables.users.insert": [() => emulator.tables.users.insert({ nmae: "Eve" } as object), "name"],
  "tables.users.update": [() => emulator.tables.users.update(1, { nmae: "Eve" } as object), "name"],
  "tables.users.replace": [
    () => emulator.tables.users.replace(1, { nmae: "Eve" } as object),
    "name",
  ],
  "tables.users.delete": none,
  "chats.add": [() => emulator.chats.add({ name: "x", rpely: {} } as never), "reply"],
  "chats.remove": none,
  "chats.list": none,
  "faults.add": [() => emulator.faults.add({ satus: 500 } as never), "status"],
  "faults.list": none,
  "faults.remove": none,
  "faults.clear": none,
  "journal.list": [() => emulator.journal.list({ metod: "GET" } as object), "method"],
  "journal.clear": none,
  snapshot: none,
  restore: none,
  reset: none,
  session: [() => emulator.session("a", { sed: 1 } as object), "seed"],
  "snapshots.list": none,
  "snapshots.delete": none,
};

test("all functions of an emulator are looked at", () => {
  expect(functionsOf(emulator).toSorted()).toEqual(Object.keys(members).toSorted());
});

/** Those of a server's emulator that check their options before they ask; the server checks the rest. */
const remoteMembers: Readonly<Record<string, typeof none | readonly [() => unknown, string]>> = {
  fetch: none,
  "chats.add": none,
  "chats.remove": none,
  "chats.list": none,
  "faults.add": none,
  "faults.list": none,
  "faults.remove": none,
  "faults.clear": none,
  "journal.list": [() => remote.journal.list({ metod: "GET" } as object), "method"],
  "journal.clear": none,
  snapshot: none,
  restore: none,
  reset: none,
  session: [() => remote.session("a").begin({ sed: 1 } as object), "seed"],
  "snapshots.list": none,
  "snapshots.delete": none,
};

test("all functions of a server's emulator are looked at", () => {
  expect(functionsOf(remote).toSorted()).toEqual(Object.keys(remoteMembers).toSorted());
});

test.each(
  [...Object.entries(members), ...Object.entries(remoteMembers)].flatMap(([name, way]) =>
    way === none ? [] : [{ name, run: way[0], meant: way[1] }],
  ),
)("$name refuses a name that is misspelt for $meant", async ({ run, meant }) => {
  expectRefusal(await errorOf(run), meant);
});

test("options that are undefined are as those left out", async () => {
  const server = await nodeEntry.startServer(emulator, { port: 0, host: undefined } as object);
  expect(server.host).toBe("127.0.0.1");
  await server.close();
  const urls: string[] = [];
  const close = await nodeEntry.serveTests(emulator, { port: undefined } as object)({
    provide: (_, url) => urls.push(url),
  });
  await close();
  expect(urls).toEqual([expect.not.stringContaining(":4010")]);
  const unset = { fixtures: undefined, seed: undefined, profiles: undefined, observer: undefined };
  await mainEntry.createEmulator(unset as object);
  expect(emulator.journal.list({ method: undefined } as object)).toEqual([]);
  expectTypeOf(server.port).toEqualTypeOf<number>();
});
