import { expect, onTestFinished, test } from "vitest";
import { settingNames } from "../../../src/core/settings/settings.ts";
import { startServer } from "../../../src/fronts/node/server.ts";
import { createEmulator, type Emulator, type EmulatorSettings } from "../../../src/index.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  models: [{ id: "atlas" }],
  chats: [{ name: "any", reply: { content: "{{ 'person.fullName' | faker }} said yes" } }],
};

type Values = readonly [EmulatorSettings, EmulatorSettings];

/** Two values of each setting. */
const values: Readonly<Record<string, Values>> = {
  token: [{ token: "one" }, { token: "two" }],
  apiKeys: [{ apiKeys: ["one"] }, { apiKeys: ["two"] }],
  seed: [{ seed: 1 }, { seed: 2 }],
  clock: [{ clock: 1_000 }, { clock: 2_000_000 }],
  profiles: [
    { profiles: { tables: "document", chat: "document" } },
    { profiles: { tables: "starbasedb", chat: "openai" } },
  ],
  basePath: [{ basePath: "/one" }, { basePath: "/two" }],
  auth: [{ auth: true }, { auth: false }],
  cors: [{ cors: true }, { cors: { origins: ["https://app.example"] } }],
  hosts: [{ hosts: [] }, { hosts: ["app.test"] }],
  speed: [{ speed: 1 }, { speed: 2 }],
  strict: [{ strict: false }, { strict: true }],
  latency: [{ latency: 0 }, { latency: [1, 2] }],
  bodyLimit: [{ bodyLimit: 10_000 }, { bodyLimit: 40 }],
  rowsLimit: [{ rowsLimit: 1_000_000 }, { rowsLimit: 10 }],
  addedLimit: [{ addedLimit: 1_000_000 }, { addedLimit: 10 }],
  bodiesLimit: [{ bodiesLimit: 10_000 }, { bodiesLimit: 40 }],
  maxConnections: [{ maxConnections: 10_000 }, { maxConnections: 5_000 }],
  controlToken: [{ controlToken: "one" }, { controlToken: "two" }],
  maxSessions: [{ maxSessions: 10 }, { maxSessions: 20 }],
  journal: [{ journal: true }, { journal: false }],
  journalSize: [{ journalSize: 1 }, { journalSize: 5 }],
  origins: [{ origins: [] }, { origins: ["https://api.example"] }],
};

interface Served {
  readonly emulator: Emulator;
  readonly url: string;
}

async function serve(settings: EmulatorSettings): Promise<Served> {
  const emulator: Emulator = await createEmulator({ fixtures, seed: 1, clock: 0, ...settings });
  const { url, close } = await startServer(emulator, { port: 0 });
  onTestFinished(close);
  return { emulator, url };
}

const message = JSON.stringify({ model: "atlas", messages: [{ role: "user", content: "hi" }] });

const requests: readonly (readonly [path: string, init: RequestInit])[] = [
  ["/rest/users", {}],
  ["/one/rest/users", { headers: { authorization: "Bearer local-token" } }],
  ["/rest/users", { headers: { authorization: "Bearer one" } }],
  ["/rest/users?nme=x", { headers: { authorization: "Bearer local-token" } }],
  ["/rest/users", { headers: { origin: "https://app.example" } }],
  [
    "/rest/users",
    {
      method: "POST",
      headers: { authorization: "Bearer local-token", "content-type": "application/json" },
      body: JSON.stringify({ name: "x".repeat(100) }),
    },
  ],
  [
    "/chat/completions",
    { method: "POST", headers: { authorization: "Bearer one" }, body: message },
  ],
  ["/__backlot/state", { headers: { authorization: "Bearer one" } }],
];

/** What a client sees of a server, and the value that it goes by. */
async function seenOf({ emulator, url }: Served, name: string): Promise<unknown> {
  const seen: unknown[] = [Reflect.get(emulator.core.settings, name)];
  for (const [path, init] of requests) {
    const response = await fetch(url + path, init);
    const allowed = response.headers.get("access-control-allow-origin");
    seen.push([path, response.status, allowed, (await response.text()).replaceAll(url, "")]);
  }
  return [...seen, emulator.journal.list().length];
}

test("there are two values of each setting to try", () => {
  expect(Object.keys(values).toSorted()).toEqual(settingNames.toSorted());
});

test.each(Object.entries(values))(
  "two servers in one process each keep their own value of %s, whichever starts first",
  async (name, [first, second]) => {
    const one = await serve(first);
    const two = await serve(second);
    const seen = [await seenOf(one, name), await seenOf(two, name)];
    expect(seen[0]).not.toEqual(seen[1]);
    // Were a value shared, the server that starts last would decide, or the first.
    const other = await serve(second);
    const last = await serve(first);
    expect([await seenOf(last, name), await seenOf(other, name)]).toEqual(seen);
  },
);
