import { expect, test } from "vitest";
import { answerControl } from "../../../src/core/control/answer-control.ts";
import { fixturesJsonSchema } from "../../../src/core/fixture-set/format/fixtures-json-schema.ts";
import { call } from "../../support/calls.ts";
import { schemaText } from "../fixture-set/json-schema.ts";
import { askControl, handContext } from "./hand-context.ts";

test("tells that it is there", async () => {
  const answer = await askControl("GET /health");
  expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
});

test.each([
  [undefined, "reset all"],
  [{}, "reset all"],
  [{ scope: ["tables"] }, "reset tables"],
  [{ scope: ["journal", "chats", "journal"] }, "reset journal+chats"],
])("resets what the body %j says", async (body, done) => {
  const context = handContext();
  const answer = await askControl("POST /reset", context, { body });
  expect(answer).toMatchObject({ status: 204, body: undefined });
  expect(context.done).toEqual([done]);
});

test.each([
  [{ scope: ["table"] }, 'Did you mean "tables"?'],
  [{ scope: [] }, '"scope" must not be empty'],
  [{ scope: "tables" }, '"scope" must be an array'],
  [{ scop: ["tables"] }, 'Did you mean "scope"?'],
  [[], "The value must be an object"],
  [null, "The value must be an object"],
])("refuses to reset by the body %j", async (body, says) => {
  const context = handContext();
  const answer = await askControl("POST /reset", context, { body: JSON.stringify(body) });
  expect(answer).toMatchObject({ status: 400, code: "invalid_body" });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
  expect(context.done).toEqual([]);
});

test("gives the state without keys and tokens", async () => {
  const state = { AUTHORIZATION_TOKEN: "t", apiKeys: ["k"], tables: { a: [] }, state: { seed: 1 } };
  const answer = await askControl("GET /state", handContext({ state }));
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({ tables: { a: [] }, state: { seed: 1 } });
});

test("takes the state that a document says", async () => {
  const context = handContext();
  const answer = await askControl("PUT /state", context, { body: { tables: {} } });
  expect(answer.status).toBe(204);
  expect(context.done).toEqual(['import {"tables":{}}']);
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
  const context = handContext();
  expect((await askControl(`PUT ${path}`, context, { body })).status).toBe(204);
  expect((await askControl(`GET ${path}`, context)).body).toEqual([{ id: 2 }]);
});

test.each([
  ["PUT /tables/users", [{ id: 1 }, 5], "invalid_body"],
  ["PUT /tables/users", { id: 1 }, "invalid_body"],
  ["PUT /tables/users", { rows: [], columns: {} }, "invalid_body"],
  ["PUT /tables/users", '[{"id": 9007199254740993}]', "not_json"],
  ["PUT /tables/users", '[{"id": 1, "id": 2}]', "not_json"],
  ["PUT /tables/users", [{ bad: 1 }], "rows_refused"],
  ["PUT /state", [], "invalid_body"],
  ["PUT /state", { bad: 1 }, "state_refused"],
  ["PUT /state", "", "not_json"],
  ["PUT /state", " ", "not_json"],
  ["PUT /state", "{", "not_json"],
  ["POST /chats", "text", "not_json"],
  ["POST /chats", "[]", "invalid_body"],
  ["POST /chats", { bad: 1 }, "script_refused"],
])("refuses %s with %j and changes nothing", async (line, body, code) => {
  const context = handContext();
  const answer = await askControl(line, context, { body });
  expect(answer).toMatchObject({ status: 400, code });
  expect(context.done).toEqual([]);
});

test("lists the problems that a mistake has", async () => {
  const answer = await askControl("PUT /tables/users", handContext(), { body: [{ bad: 1 }] });
  const problems = [{ message: "It is refused.", path: "a.b" }];
  expect(answer.body).toMatchObject({ error: { code: "rows_refused", problems } });
});

test("says where a body is not JSON", async () => {
  const answer = await askControl("PUT /state", handContext(), { body: '{\n  "tables": }' });
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
  const reply = await answerControl(asked, "/state", handContext());
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
  expect((await askControl("POST /chats", handContext(), asking)).status).toBe(status);
});

test("adds a script, shows it with its name, and takes it out", async () => {
  const context = handContext();
  const script = { reply: { content: "x" } };
  const added = await askControl("POST /chats", context, { body: script });
  expect(added).toMatchObject({ status: 201, body: { name: "added 1" } });
  const listed = await askControl("GET /chats", context);
  expect(listed.body).toMatchObject({ chats: [{ name: "added 1" }, { name: "greeting" }] });
  expect((await askControl("DELETE /chats/added%201", context)).status).toBe(204);
  expect(context.chats.list()).toHaveLength(1);
});

test("lists sessions and forgets one", async () => {
  const context = handContext();
  const listed = await askControl("GET /sessions", context);
  const at = "2024-01-01T00:00:00.000Z";
  const session = { id: "a", beganAt: at, lastUsedAt: at, requests: 3 };
  expect(listed.body).toEqual({ sessions: [session] });
  expect((await askControl("DELETE /sessions/a", context)).status).toBe(204);
  expect(await askControl("DELETE /sessions/a", context)).toMatchObject({ status: 404 });
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
  expect(`${JSON.stringify(fixturesJsonSchema(), null, 2)}\n`).toBe(schemaText);
});

test("throws on what is no mistake of the caller", async () => {
  const failure = new Error("a bug");
  const broken = (): never => {
    throw failure;
  };
  const context = { ...handContext(), exportState: broken, importState: broken };
  await expect(askControl("PUT /state", context, { body: {} })).rejects.toBe(failure);
  await expect(askControl("GET /state", context)).rejects.toBe(failure);
});
