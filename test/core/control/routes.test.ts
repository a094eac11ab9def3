import { ScriptBook } from "../../../src/core/chat/scripts/script-book.ts";
import { expect, test, vi } from "vitest";
import { fixturesJsonSchema } from "../../../src/core/fixture-set/format/fixtures-json-schema.ts";
import { call } from "../../support/calls.ts";
import { schemaText } from "../fixture-set/json-schema.ts";
import { askControl, controlled, entry } from "./controlled.ts";

test("tells that it is there", async () => {
  const answer = await askControl("GET /health");
  expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
});

test.each([
  [undefined, "", 0],
  [{}, "", 0],
  [{ scope: ["tables"] }, "scripts journal faults", 1],
  [{ scope: ["journal", "chats", "journal"] }, "rows faults", 0],
])("resets what the body %j says, and leaves %j", async (body, left, requests) => {
  const context = controlled({ entries: [entry({})] });
  await askControl("PUT /tables/users", context, { body: [] });
  await askControl("DELETE /chats/greeting", context);
  const answer = await askControl("POST /reset", context, { body });
  expect(answer).toMatchObject({ status: 204, body: undefined });
  const { state, journal } = context.core.sessions.base;
  const changed = {
    rows: state.database.table("users")?.size === 0,
    scripts: state.scripts.list().length === 0,
    journal: journal.kept().length > 0,
    faults: state.faults.list().length > 0,
  };
  expect(Object.keys(changed).filter((part) => Object(changed)[part])).toEqual(
    left === "" ? [] : left.split(" "),
  );
  expect(journal.kept()).toHaveLength(requests);
});

test.each([
  [{ scope: ["table"] }, 'Did you mean "tables"?'],
  [{ scope: [] }, '"scope" must not be empty'],
  [{ scope: "tables" }, '"scope" must be an array'],
  [{ scop: ["tables"] }, 'Did you mean "scope"?'],
  [[], "The value must be an object"],
  [null, "The value must be an object"],
])("refuses to reset by the body %j", async (body, says) => {
  const context = controlled();
  const answer = await askControl("POST /reset", context, { body: JSON.stringify(body) });
  expect(answer).toMatchObject({ status: 400, code: "invalid_body" });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
  expect(context.isChanged).toBe(false);
});

test("gives the state without keys and tokens, and takes what a document says", async () => {
  const context = controlled();
  const body = { tables: { notes: [{ id: 7 }] } };
  expect((await askControl("PUT /state", context, { body })).status).toBe(204);
  const answer = await askControl("GET /state", context);
  expect(answer).toMatchObject({ status: 200, body: { tables: { notes: { rows: [{ id: 7 }] } } } });
  expect(JSON.stringify(answer.body)).not.toContain("local-");
});

test("gives the rows of a table", async () => {
  const answer = await askControl("GET /tables/users");
  expect(answer).toMatchObject({ status: 200, body: [{ id: 1, name: "Ada" }] });
});

test.each([
  ["/tables/users", [{ id: 2 }]],
  ["/tables/users", { rows: [{ id: 2 }] }],
  ["/tables/odd%2Fname", [{ id: 2 }]],
  ["/tables/__proto__", [{ id: 2 }]],
])("replaces the rows of %s by %j", async (path, body) => {
  const context = controlled();
  expect((await askControl(`PUT ${path}`, context, { body })).status).toBe(204);
  expect((await askControl(`GET ${path}`, context)).body).toMatchObject([{ id: 2 }]);
});

test.each([
  ["PUT /tables/users", [{ id: 1 }, 5], "invalid_body"],
  ["PUT /tables/users", { id: 1 }, "invalid_body"],
  ["PUT /tables/users", { rows: [], columns: {} }, "invalid_body"],
  ["PUT /tables/users", '[{"id": 9007199254740993}]', "not_json"],
  ["PUT /tables/users", '[{"id": 1, "id": 2}]', "not_json"],
  ["PUT /tables/users", [{ id: "x" }], "rows_refused"],
  ["PUT /state", [], "invalid_body"],
  ["PUT /state", { bad: 1 }, "state_refused"],
  ["PUT /state", "", "not_json"],
  ["PUT /state", " ", "not_json"],
  ["PUT /state", "{", "not_json"],
  ["POST /chats", "text", "not_json"],
  ["POST /chats", "[]", "invalid_body"],
  ["POST /chats", { bad: 1 }, "script_refused"],
])("refuses %s with %j and changes nothing", async (line, body, code) => {
  const context = controlled();
  const answer = await askControl(line, context, { body });
  expect(answer).toMatchObject({ status: 400, code });
  expect(context.isChanged).toBe(false);
});

test("lists the problems that a mistake has", async () => {
  const answer = await askControl("PUT /tables/users", controlled(), { body: [{ id: "x" }] });
  const problems = [{ message: expect.stringContaining('"x"') }];
  expect(answer.body).toMatchObject({ error: { code: "rows_refused", problems } });
});

test("says where a body is not JSON", async () => {
  const answer = await askControl("PUT /state", controlled(), { body: '{\n  "tables": }' });
  expect(answer.body).toMatchObject({ error: { problems: [{ line: 2, column: 13 }] } });
});

test.each([
  [{ kind: "too-large", limit: 10 }, 413, "body_too_large"],
  [{ kind: "aborted" }, 400, "incomplete_body"],
  [{ kind: "bytes", bytes: new Uint8Array([0xff]) }, 400, "not_json"],
] as const)("refuses the body %j with %i", async (body, status, code) => {
  const asked = {
    ...call("PUT", "/state", { headers: { host: "localhost" } }),
    readBody: () => Promise.resolve(body),
  };
  const reply = await controlled().answer(asked);
  expect(reply).toMatchObject({ status, answeredBy: `control: ${code}` });
});

test.each([
  ["application/json", 201],
  ["application/json; charset=utf-8", 201],
  ["application/vnd.backlot+json", 201],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
])("answers a body of the type %s with %i", async (type, status) => {
  const asking = { headers: { "content-type": type }, body: { reply: { content: "x" } } };
  expect((await askControl("POST /chats", controlled(), asking)).status).toBe(status);
});

test("adds a script, shows it with its name, and takes it out", async () => {
  const context = controlled();
  const script = { reply: { content: "x" } };
  const added = await askControl("POST /chats", context, { body: script });
  expect(added).toMatchObject({ status: 201, body: { name: "added 1" } });
  const listed = await askControl("GET /chats", context);
  expect(listed.body).toMatchObject({ chats: [{ name: "added 1" }, { name: "greeting" }] });
  expect((await askControl("DELETE /chats/added%201", context)).status).toBe(204);
  expect(context.core.state.scripts.list()).toHaveLength(1);
});

test("lists sessions and forgets one", async () => {
  const context = controlled();
  const listed = await askControl("GET /sessions", context);
  const at = "2024-01-01T00:00:00.000Z";
  const session = { id: "a", beganAt: at, lastUsedAt: at, requests: 0 };
  expect(listed.body).toEqual({ sessions: [session] });
  expect((await askControl("DELETE /sessions/a", context)).status).toBe(204);
  expect(await askControl("DELETE /sessions/a", context)).toMatchObject({ status: 404 });
});

test.each(["/console.json", "/requests", "/requests/live", "/tables/users", "/state", "/faults"])(
  "begins no session by looking at %s in it",
  async (path) => {
    const unknown = controlled({ session: "b" });
    expect(await askControl(`GET ${path}`, unknown)).toMatchObject({ status: 200 });
    expect(unknown.core.sessions.list().map(({ id }) => id)).toEqual(["a"]);
  },
);

test("begins a session with what changes it, and says so", async () => {
  const context = controlled({ session: "b" });
  context.core.sessions.delete("b");
  const setup = async (): Promise<unknown> => (await askControl("GET /console.json", context)).body;
  expect(await setup()).toMatchObject({ session: "b", hasBegun: false, faults: 1 });
  expect((await askControl("DELETE /faults", context)).status).toBe(204);
  expect(await setup()).toMatchObject({ session: "b", hasBegun: true, faults: 0 });
});

test.each([
  ["GET /tables/user", "unknown_table", '"users"'],
  ["PUT /tables/toString", "unknown_table", "Tables: users"],
  ["DELETE /chats/greting", "unknown_script", '"greeting"'],
  ["DELETE /sessions/ab", "unknown_session", 'Did you mean "a"?'],
])("answers %s with 404 and the nearest name", async (line, code, says) => {
  const answer = await askControl(line);
  expect(answer).toMatchObject({ status: 404, code });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
});

test("serves the JSON Schema of fixtures that the package has", async () => {
  const answer = await askControl("GET /fixtures.schema.json");
  expect(answer.body).toEqual(JSON.parse(schemaText));
  // Also in the same order.
  expect(JSON.stringify(fixturesJsonSchema())).toBe(JSON.stringify(JSON.parse(schemaText)));
});

test("reports what is no mistake of the caller, and answers with 500", async () => {
  const failures: unknown[] = [];
  const context = controlled({ observer: { failed: (error) => failures.push(error) } });
  const failure = new Error("a bug");
  const list = vi.spyOn(ScriptBook.prototype, "list").mockImplementation(() => {
    throw failure;
  });
  for (const line of ["GET /state", "GET /chats"]) {
    expect(await askControl(line, context)).toMatchObject({ status: 500 });
  }
  list.mockRestore();
  expect(failures).toEqual([failure, failure]);
});
