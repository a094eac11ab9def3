import { expect, test } from "vitest";
import type { ExchangeRecord } from "../../../src/core/emulator/observer.ts";
import { EmulatorError } from "../../../src/core/errors/emulator-error.ts";
import { jsonLog, createLog, prettyLog } from "../../../src/fronts/cli/log.ts";
import type { Ready } from "../../../src/fronts/cli/ready.ts";
import { testIo } from "./test-io.ts";

const record: ExchangeRecord = {
  at: Date.UTC(2024, 0, 1),
  session: "test-7",
  interface: "tables",
  method: "GET",
  path: "/rest/users",
  query: "limit=2",
  status: 200,
  answeredBy: "table users",
  durationMs: 3.21,
  chunksSent: 0,
  aborted: false,
};

const ready: Ready = {
  version: "1.2.3",
  url: "http://127.0.0.1:4010",
  chatUrl: "http://127.0.0.1:4010/v1",
  tablesUrl: "http://127.0.0.1:4010/rest",
  token: "local-token",
  apiKey: "local-key",
  takesAnyKey: false,
  curl: { tables: "curl 'tables'", chat: "curl -N 'chat'" },
  fixtures: "db.json",
  counts: { tables: 1, rows: 2, models: 3, scripts: 0 },
  watching: true,
};

const broken = new EmulatorError(
  "ERR_FIXTURES_INVALID",
  "Cannot read the fixtures:\na.json:1:2: no.",
  {
    problems: [{ file: "a.json", line: 1, column: 2, message: "no." }],
  },
);

test("pretty writes one aligned line for each exchange", () => {
  const io = testIo();
  const log = prettyLog(io);
  log.exchange?.(record);
  log.exchange?.({
    ...record,
    method: "DELETE",
    path: "/rest/users/1",
    query: "",
    status: 404,
    answeredBy: undefined,
    durationMs: 12_345,
    aborted: true,
    problem: "left by the client",
  });
  const target = "/rest/users?limit=2".padEnd(44);
  expect(io.out().split("\n")).toEqual([
    `12:34:56  GET      ${target}  200     3.2 ms  @test-7  table users`,
    `12:34:56  DELETE   ${"/rest/users/1".padEnd(44)}  404     12.3 s  @test-7  left by the client`,
    "",
  ]);
});

test("pretty cuts on a terminal what a client was told to its width", () => {
  const io = testIo({ isTerminal: true, env: { NO_COLOR: "1" } });
  const log = prettyLog({ ...io, stdout: { ...io.stdout, columns: 40 } });
  const problem = 'There is no table "usres". Did you mean "users"?';
  for (const said of [problem, problem.slice(0, 26)]) log.exchange?.({ ...record, problem: said });
  const [, cut, , whole] = io.out().split("\n");
  expect([cut, whole]).toEqual([
    '          There is no table "usres". D…',
    '          There is no table "usres".',
  ]);
  expect(cut).toHaveLength(39);
});

test.each([
  ["on a terminal", { isTerminal: true, env: {} }, true],
  ["without a terminal", { isTerminal: false, env: {} }, false],
  ["with NO_COLOR", { isTerminal: true, env: { NO_COLOR: "1" } }, false],
  ["with an empty NO_COLOR", { isTerminal: true, env: { NO_COLOR: "" } }, true],
  ["on a dumb terminal", { isTerminal: true, env: { TERM: "dumb" } }, false],
  ["with FORCE_COLOR", { isTerminal: false, env: { FORCE_COLOR: "1" } }, true],
  ["with both", { isTerminal: true, env: { FORCE_COLOR: "1", NO_COLOR: "1" } }, false],
])("pretty has colour %s: %j → %s", (_, options, colored) => {
  const io = testIo(options);
  prettyLog(io).exchange?.(record);
  expect(io.out().includes("\u001B[32m200\u001B[39m")).toBe(colored);
  expect(io.out().includes("\u001B")).toBe(colored);
});

test("pretty lets nothing from outside control the terminal", () => {
  const io = testIo();
  prettyLog(io).exchange?.({ ...record, answeredBy: 'script "\u001B[2J\n\u202E"' });
  expect(io.out()).toContain('script "\\u001b[2J\\n\\u202e"');
});

test("pretty shows at the start where, with what, and lines to paste", () => {
  const io = testIo();
  prettyLog(io).ready(ready);
  expect(io.out()).toBe(`Backlot 1.2.3 is running at http://127.0.0.1:4010

  console   http://127.0.0.1:4010/__backlot/
  base URL  http://127.0.0.1:4010/v1  (of chat, for SDKs)
  tables    http://127.0.0.1:4010/rest/{table}
  keys      local-key for chat, local-token for tables
  fixtures  db.json: 1 table (2 rows), 3 models, watched

Try it:
curl 'tables'
curl -N 'chat'

`);
});

test.each([
  [{ apiKey: "any-key", takesAnyKey: true }, "any key for chat, local-token for tables"],
  [{ token: undefined, apiKey: undefined }, "none needed"],
])("pretty shows of the keys %j: %s", (keys, shown) => {
  const io = testIo();
  prettyLog(io).ready({ ...ready, ...keys });
  expect(io.out()).toContain(`  keys      ${shown}\n`);
});

test("pretty tells of fixtures that were refused, and of those that are fine again", () => {
  const io = testIo();
  const log = prettyLog(io);
  log.refused("db.json", broken);
  log.reloaded({ fixtures: "db.json", counts: ready.counts, recovered: true, gone: [] });
  expect(io.err()).toBe("error: Cannot read the fixtures:\na.json:1:2: no.\n");
  expect(io.out()).toBe(
    "12:34:56  could not load db.json: the previous fixtures stay\n" +
      "12:34:56  fixed, loaded db.json: 1 table (2 rows), 3 models\n",
  );
});

test("pretty says what fixtures have no more, and names the first five", () => {
  const io = testIo();
  const gone = ["a", "b", "c", "d", "e\n", "f"].map((name) => `table ${name}`);
  const told = { fixtures: "shop", counts: ready.counts, recovered: false };
  prettyLog(io).reloaded({ ...told, gone: gone.slice(0, 1) });
  prettyLog(io).reloaded({ ...told, gone });
  const loaded = "12:34:56  reloaded shop: 1 table (2 rows), 3 models, gone: table a";
  expect(io.out()).toBe(`${loaded}\n${loaded}, table b, table c, table d, table e\\n and 1 more\n`);
});

test("json writes one line for each thing that happens", () => {
  const io = testIo();
  const log = jsonLog(io);
  log.ready(ready);
  log.exchange?.(record);
  log.refused("db.json", broken);
  log.reloaded({ fixtures: "db.json", counts: ready.counts, recovered: true, gone: [] });
  log.failed(new TypeError("a bug"));
  const lines = io.out().trimEnd().split("\n");
  const fixtures = { from: "db.json", tables: 1, rows: 2, models: 3, scripts: 0 };
  const { message, code, problems } = broken;
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: "ready", url: ready.url, token: "local-token", curl: ready.curl, fixtures },
    { event: "request", ...record, at: new Date(io.now()).toISOString() },
    { event: "problems", fixtures: "db.json", message, code, problems },
    { event: "reload", recovered: true, gone: [], fixtures },
    { event: "error", message: "a bug", stack: expect.stringContaining("TypeError: a bug\n") },
  ]);
});

test("silent writes errors and nothing else", async () => {
  const io = testIo();
  const log = createLog("silent", io);
  log.ready(ready);
  log.exchange?.(record);
  log.reloaded({ fixtures: "db.json", counts: ready.counts, recovered: true, gone: [] });
  expect(io.out() + io.err()).toBe("");
  log.refused("db.json", broken);
  log.failed(new TypeError("a bug"));
  expect(io.out()).toBe("");
  expect(io.err()).toMatch(/a\.json:1:2: no\.\nTypeError: a bug\n/);
});
