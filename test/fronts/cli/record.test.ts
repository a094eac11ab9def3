import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { answering, startService } from "../node/recording-proxy.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";
import { type TestIo, testIo, written } from "./test-io.ts";

const key = "sk-live-0123456789abcdef";

interface Running {
  readonly io: TestIo;
  readonly url: string;
  readonly stop: () => Promise<number>;
}

/** Runs a command that serves, until it says where. */
async function serve(
  folder: TemporaryFolder,
  args: readonly string[],
  env: TestIo["env"] = {},
): Promise<Running> {
  const io = testIo({ cwd: folder.path, env });
  const exit = run([...args, "--port", "0", "--log", "json"], io);
  onTestFinished(() => io.stop());
  const [line] = await written(io.out, /^\{"event":"ready".*\}$/m);
  const { url } = JSON.parse(line) as { url: string };
  return {
    io,
    url,
    stop: () => {
      io.stop();
      return exit;
    },
  };
}

function ask(url: string, content: string, more: object = {}): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...more }),
  });
}

const completion = { choices: [{ index: 0, message: { role: "assistant", content: "Hi!" } }] };
const answerAlike = answering({ "content-type": "application/json" }, JSON.stringify(completion));

/** Every file below a folder, by its path, with its text. */
async function filesIn(folder: TemporaryFolder): Promise<Record<string, string>> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.path.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

test("records a conversation into a file that is served again with the service gone", async () => {
  const folder = await temporaryFolder({});
  const service = await startService(answerAlike);
  const recorder = await serve(folder, ["record", "--upstream", `${service}/v1`]);
  const first = await (await ask(recorder.url, "Hello there")).text();
  expect(await recorder.stop()).toBe(0);
  const [file = "", ...others] = Object.keys(await filesIn(folder));
  expect(others).toEqual([]);
  expect(file).toMatch(/^fixtures\/cassettes\/chat-hello-there-[0-9a-f]{6}\.json$/);
  const player = await serve(folder, ["start", "--strict"]);
  expect(await (await ask(player.url, "Hello there")).text()).toBe(first);
  expect((await ask(player.url, "Good bye")).status).toBeGreaterThanOrEqual(400);
});

test("writes a file that reads well, and the same each time", async () => {
  const folder = await temporaryFolder({});
  const service = await startService(answerAlike);
  const texts: string[] = [];
  for (let count = 0; count < 2; count++) {
    const recorder = await serve(folder, ["record", "--upstream", service, "--out", "tapes"]);
    await (await ask(recorder.url, "Hello")).text();
    await recorder.stop();
    const files = Object.values(await filesIn(folder));
    expect(files).toHaveLength(1);
    texts.push(...files.map((text) => text.replace(/"afterMs": \d+/, '"afterMs": 0')));
  }
  const [text = "", again] = texts;
  expect(again).toBe(text);
  expect(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`).toBe(text);
});

test("keeps keys and what the fixtures' config names off the disk", async () => {
  const redact = [{ path: "body.messages.*.content", as: "words" }];
  const folder = await temporaryFolder({ "fixtures/config.json": { recording: { redact } } });
  const service = await startService((_, response) => {
    response.setHeader("set-cookie", "session=c00kie-5ecret");
    response.end("{}");
  });
  const recorder = await serve(folder, ["record", "--upstream", service]);
  await (await ask(recorder.url, "my mother's maiden name")).text();
  await recorder.stop();
  const files = await filesIn(folder);
  expect(Object.keys(files).filter((name) => name.includes("cassettes"))).toHaveLength(1);
  const all = JSON.stringify(files);
  for (const secret of [key, "maiden", "c00kie-5ecret"]) expect(all).not.toContain(secret);
});

test("tells what it recorded and what it did not", async () => {
  const folder = await temporaryFolder({});
  const service = await startService((incoming, response) => {
    if (incoming.url === "/odd") response.setHeader("content-encoding", "odd");
    response.end("[]");
  });
  const { io, url, stop } = await serve(folder, ["record", "--tables-upstream", service]);
  await (await fetch(`${url}/rest/users`)).text();
  await fetch(`${url}/rest/odd`);
  await written(io.out, /"event":"not-recorded".*"path":"\/odd".*cannot be unpacked/);
  await stop();
  const [line] = await written(io.out, /^\{"event":"recorded".*\}$/m);
  expect(JSON.parse(line)).toMatchObject({
    out: "fixtures/cassettes",
    exchanges: 1,
    files: ["tables-users.json"],
    unfinished: 0,
  });
});

test("writes scripts and tables in place of recordings", async () => {
  const folder = await temporaryFolder({});
  const service = await startService((incoming, response) => {
    if (incoming.url?.startsWith("/rest") === true)
      response.end('{"result":[{"id":1,"name":"Ada"}]}');
    else answerAlike(incoming, response);
  });
  const services = ["--upstream", service, "--tables-upstream", `${service}/rest`];
  const recorder = await serve(folder, ["record", ...services, "--as", "scripts", "-o", "shop"]);
  await (await ask(recorder.url, "Hello")).text();
  await (await fetch(`${recorder.url}/rest/users`)).text();
  expect(await recorder.stop()).toBe(0);
  const names = Object.keys(await filesIn(folder)).toSorted();
  expect(names).toEqual([
    expect.stringMatching(/^shop\/chats\/chat-hello-/),
    "shop/tables/users.json",
  ]);
  expect(await run(["check", "shop"], testIo({ cwd: folder.path }))).toBe(0);
});

test("keeps what is complete when it is stopped while an answer still comes", async () => {
  const folder = await temporaryFolder({});
  const service = await startService((incoming, response) => {
    incoming.resume();
    if (incoming.url === "/models") return void response.end("{}");
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: a\n\n");
  });
  const recorder = spawnBacklot(["record", "-u", service, "--port", "0", "--log", "json"], {
    cwd: folder.path,
  });
  const [line] = await recorder.written(/^\{"event":"ready".*\}$/m);
  const { url } = JSON.parse(line) as { url: string };
  await (await fetch(`${url}/v1/models`)).text();
  const open = await ask(url, "Hello");
  await open.body?.getReader().read();
  recorder.signal("SIGINT");
  expect(await recorder.exit).toBe(0);
  expect(Object.keys(await filesIn(folder))).toEqual(["fixtures/cassettes/chat-models.json"]);
  expect(recorder.out()).toContain('"unfinished":1');
});

test.each([
  [join("tapes.json", "cassettes"), "its folder is a file"],
  ["tapes.json", "it is not a folder"],
])("refuses to begin where nothing can be written: %s", async (out, reason) => {
  const folder = await temporaryFolder({ "tapes.json": {} });
  const io = testIo({ cwd: folder.path });
  expect(await run(["record", "-u", "http://127.0.0.1:1", "--out", out], io)).toBe(1);
  expect(io.err()).toBe(
    `error: Cannot record into ${JSON.stringify(out)}: ${reason}. Name another folder.\n`,
  );
});

test("gives clients their answers where the folder goes away, says so once, and exits 1", async () => {
  const folder = await temporaryFolder({});
  const service = await startService(answerAlike);
  const { io, url, stop } = await serve(folder, ["record", "-u", service, "--out", "tapes"]);
  await rm(join(folder.path, "tapes"), { recursive: true });
  for (let count = 0; count < 3; count++) expect((await ask(url, "Hello")).status).toBe(200);
  await written(io.out, /Cannot write \\"tapes\/chat-hello-\w+\.json\\": there is no such folder/);
  expect(await stop()).toBe(1);
  expect(io.out().match(/Cannot write/g)).toHaveLength(1);
});

test("keeps a recording as cassettes elsewhere where scripts cannot be written, and exits 1", async () => {
  const [folder, temporary] = [
    await temporaryFolder({ "tapes/chats": "" }),
    await temporaryFolder({}),
  ];
  vi.stubEnv("TMPDIR", temporary.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const service = await startService(answerAlike);
  const args = ["record", "-u", service, "--out", "tapes", "--as", "scripts"];
  const { io, url, stop } = await serve(folder, args);
  await (await ask(url, "Hello")).text();
  expect(await stop()).toBe(1);
  expect(io.out()).toMatch(
    /Cannot write \\"tapes\/chats\/[^"]*": its folder is a file\. What was recorded is kept as cassettes in /,
  );
  expect(io.out()).toContain(`in ${temporary.path}/backlot-recording-`);
  expect(Object.values(await filesIn(temporary))).toEqual([expect.stringContaining('"Hello"')]);
});

test("tries again to write scripts where nothing can be kept elsewhere", async () => {
  const folder = await temporaryFolder({ "tapes/chats": "a file" });
  vi.stubEnv("TMPDIR", join(folder.path, "tapes", "chats"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const service = await startService(answerAlike);
  const args = ["record", "-u", service, "--out", "tapes", "--as", "scripts"];
  const { io, url, stop } = await serve(folder, args);
  await (await ask(url, "Hello")).text();
  const stopped = stop();
  await written(io.out, /Backlot tries again each second.* Ending now loses the recording\./);
  await rm(join(folder.path, "tapes", "chats"));
  expect(await stopped).toBe(0);
  const [file = ""] = Object.keys(await filesIn(folder));
  expect(file).toMatch(/^tapes\/chats\/.*hello.*\.json$/);
});

test("writes at the end what could not be written before", async () => {
  const folder = await temporaryFolder({});
  const service = await startService(answerAlike);
  const { io, url, stop } = await serve(folder, ["record", "-u", service, "--out", "tapes"]);
  await rm(join(folder.path, "tapes"), { recursive: true });
  await (await ask(url, "Hello")).text();
  await written(io.out, /Cannot write/);
  await mkdir(join(folder.path, "tapes"));
  expect(await stop()).toBe(0);
  expect(Object.keys(await filesIn(folder))).toHaveLength(1);
});

test("start asks a service only what nothing in the fixtures answers, and records that", async () => {
  const folder = await temporaryFolder({
    "fixtures/chats/hello.json": [
      { when: { user: "Hello" }, reply: { content: "From the script" } },
    ],
    "fixtures/tables/users.json": [{ id: 1 }],
  });
  let asked = 0;
  const service = await startService((incoming, response) => {
    asked += 1;
    answerAlike(incoming, response);
  });
  const flags = ["--record", `${service}/v1`, "--record-tables", `${service}/rest`];
  const { url, stop } = await serve(folder, ["start", ...flags]);
  expect(await (await ask(url, "Hello")).text()).toContain("From the script");
  expect((await fetch(`${url}/rest/users`)).status).toBe(200);
  expect(asked).toBe(0);
  expect(await (await ask(url, "Else")).json()).toEqual(completion);
  expect((await fetch(`${url}/rest/orders`)).status).toBe(200);
  expect(asked).toBe(2);
  expect(await stop()).toBe(0);
  const names = Object.keys(await filesIn(folder)).filter((name) => name.includes("cassettes"));
  expect(names.toSorted()).toEqual([
    expect.stringMatching(/^fixtures\/cassettes\/chat-else-\w{6}\.json$/),
    "fixtures/cassettes/tables-orders.json",
  ]);
});

test("start continues the recordings that are there", async () => {
  const folder = await temporaryFolder({});
  const service = await startService(answerAlike);
  const recorder = await serve(folder, ["record", "--upstream", service]);
  await (await ask(recorder.url, "Hello")).text();
  await recorder.stop();
  const before = await filesIn(folder);
  const { url, stop } = await serve(folder, ["start", "--record", service]);
  const messages = [
    { role: "user", content: "Hello" },
    { role: "assistant", content: "Hi!" },
    { role: "user", content: "Go on" },
  ];
  await (await ask(url, "", { messages })).text();
  await stop();
  const after = await filesIn(folder);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  const [text = "{}"] = Object.values(after);
  expect((JSON.parse(text) as { recordings: unknown[] }).recordings).toHaveLength(2);
});

test.each([
  [["record"], 2, "error: the service is missing. Name it with --upstream or --tables-upstream"],
  [["record", "-u", "api.example.com"], 2, "Give a URL, such as https://api.example.com/v1."],
  [["record", "-u", "http://u:p@x/v1"], 2, "Give a URL without a user and a password"],
  [["record", "-u", "http://localhost:4010/v1"], 1, "this is where Backlot itself listens"],
  [
    ["start", "db.json", "--record", "http://x"],
    1,
    'Cannot record into "db.json": recordings are files of a fixtures folder.',
  ],
  [["start", "fixtures", "--record", "http://x", "--watch"], 2, "cannot be combined"],
])("refuses %j", async (args, code, message) => {
  const folder = await temporaryFolder({ "db.json": {}, "fixtures/config.json": {} });
  const io = testIo({ cwd: folder.path });
  expect(await run(args, io)).toBe(code);
  expect(io.err()).toContain(message);
});

test("start refuses to record into the built-in set", async () => {
  const folder = await temporaryFolder({});
  const io = testIo({ cwd: folder.path });
  expect(await run(["start", "--record", "http://x"], io)).toBe(1);
  expect(io.err()).toContain("Cannot record into the built-in set. Run backlot init");
});

test("leaves files of others alone, also where they have the name that a part would get", async () => {
  const folder = await temporaryFolder({});
  await mkdir(join(folder.path, "tapes"));
  await writeFile(join(folder.path, "tapes", "README.md"), "mine");
  const service = await startService(answerAlike);
  const { url, stop } = await serve(folder, ["record", "-u", service, "--out", "tapes"]);
  await (await ask(url, "Hello")).text();
  await stop();
  const files = await filesIn(folder);
  expect(files["tapes/README.md"]).toBe("mine");
  expect(Object.keys(files)).toHaveLength(2);
});

test.each([
  ["all", [200, 200], 4],
  ["new", [200, 200], 3],
  ["once", [200, 404], 2],
  ["none", [200, 404], 2],
])(
  "in mode %s, a second run answers a recorded and a new request with %j",
  async (mode, statuses, asked) => {
    const folder = await temporaryFolder({});
    let count = 0;
    const service = await startService((incoming, response) => {
      count += 1;
      answerAlike(incoming, response);
    });
    const first = await serve(folder, ["record", "--upstream", service, "--mode", "once"]);
    for (const words of ["One", "Two"]) await (await ask(first.url, words)).text();
    expect([await first.stop(), count]).toEqual([0, 2]);
    const second = await serve(folder, ["record", "--upstream", service, "--mode", mode]);
    const seen: number[] = [];
    for (const words of ["One", "Three"]) {
      const answer = await ask(second.url, words);
      await answer.text();
      seen.push(answer.status);
    }
    expect([seen, count]).toEqual([statuses, asked]);
    expect(await second.stop()).toBe(0);
    const later = await serve(folder, ["start", "--record", service, "--mode", mode]);
    expect((await ask(later.url, "Two")).status).toBe(200);
    expect(count).toBe(mode === "all" ? asked + 1 : asked);
  },
);

test.each([
  ["record", "--upstream", [], {}, false],
  ["start", "--record", [], {}, false],
  ["record", "--upstream", ["--mode", "new"], {}, true],
  ["start", "--record", ["--mode", "new"], {}, true],
  ["start", "--record", [], { BACKLOT_MODE: "new" }, true],
] as const)("in CI, %s %s %j with %j asks the service: %s", async (name, flag, more, env, asks) => {
  const folder = await temporaryFolder({ "fixtures/config.json": {} });
  let isAsked = false;
  const service = await startService((incoming, response) => {
    isAsked = true;
    answerAlike(incoming, response);
  });
  const args = [name, flag, service, ...more];
  const { io, url, stop } = await serve(folder, args, { CI: "1", ...env });
  const answer = await ask(url, "One");
  await answer.text();
  expect([answer.ok, isAsked]).toEqual([asks, asks]);
  expect(await stop()).toBe(0);
  expect(io.out().includes("To record all the same, add --mode new.")).toBe(!asks);
  expect(Object.keys(await filesIn(folder))).toHaveLength(asks ? 2 : 1);
});

test.each([
  [[], "in mode none, the default in CI: only cassettes can be replayed. Add --mode all"],
  [["--mode", "once"], "in mode once: only cassettes can be replayed."],
])("in CI, refuses to record scripts with %j", async (more, message) => {
  const io = testIo({ cwd: (await temporaryFolder({})).path, env: { CI: "1" } });
  const args = ["record", "-u", "http://127.0.0.1:1", "--as", "scripts", ...more];
  expect(await run(args, io)).toBe(1);
  expect(io.err()).toContain(message);
});

test("records what a running server has in its journal, without keys", async () => {
  const folder = await temporaryFolder({
    "other/chats/hi.json": { when: { user: "Hi" }, reply: { content: "Hello." } },
  });
  const server = await serve(folder, ["start", "other"]);
  const first = await (await ask(server.url, "Hi")).json();
  const io = testIo({ cwd: folder.path });
  expect(await run(["record", "--from-journal", server.url], io)).toBe(0);
  expect(io.err()).toContain("recorded the journal into 1 file");
  const texts = Object.entries(await filesIn(folder)).filter(([name]) =>
    name.includes("cassettes"),
  );
  expect(texts).toHaveLength(1);
  expect(JSON.stringify(texts)).not.toContain(key);
  const player = await serve(folder, ["start", "--strict"]);
  expect(await (await ask(player.url, "Hi")).json()).toEqual(first);
});
