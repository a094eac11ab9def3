import { expect, test } from "vitest";
import { askControl, controlled } from "./controlled.ts";

test.each([
  ["GET /table/users", '"/__backlot/tables/users"'],
  ["GET /helth", '"/__backlot/health"'],
  ["GET /tables/users/1", "/__backlot/tables/{name}"],
  ["GET /tables/", "Use one of"],
  ["GET /reset/", '"/__backlot/reset"'],
  ["GET /nothing/at/all", "Use one of: /__backlot/health, /__backlot/reset"],
  ["GET //", '"/__backlot/"'],
  ["GET /chatz/$&", '"/__backlot/chats/$&"'],
])("answers %s with 404 and the nearest path", async (line, says) => {
  const answer = await askControl(line);
  expect(answer).toMatchObject({ status: 404, code: "unknown_path" });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
});

test.each([
  ["GET /reset", "POST, OPTIONS"],
  ["POST /state", "GET, HEAD, PUT, OPTIONS"],
  ["HEAD /chats/greeting", "DELETE, OPTIONS"],
  ["PATCH /health", "GET, HEAD, OPTIONS"],
  ["get /state", "GET, HEAD, PUT, OPTIONS"],
])("answers %s with 405 and the methods %s", async (line, allow) => {
  const answer = await askControl(line, controlled());
  expect(answer.status).toBe(405);
  expect(answer.headers["allow"]).toBe(allow);
});

test.each([
  ["OPTIONS /requests", "GET, HEAD, DELETE, OPTIONS"],
  ["OPTIONS /chats/greeting", "DELETE, OPTIONS"],
  ["OPTIONS /", "GET, HEAD, OPTIONS"],
])("tells by %s what the path allows", async (line, allow) => {
  const answer = await askControl(line, controlled());
  expect(answer).toMatchObject({ status: 204, headers: { allow } });
});

test.each(["GET /tables/%ff", "DELETE /sessions/%", "DELETE /chats/%zz"])(
  "refuses the path of %s, which cannot be decoded",
  async (line) => {
    expect(await askControl(line)).toMatchObject({ status: 400, code: "invalid_path" });
  },
);

test.each([
  ["PUT /state?pretty=1", "unknown_parameter", "takes none"],
  ["DELETE /requests?path=/rest", "unknown_parameter", "takes none"],
  ["GET /requests?pth=/rest", "unknown_parameter", '"path"'],
  ["GET /requests?limit=1&limit=2", "repeated_parameter", "limit"],
])("refuses the query of %s", async (line, code, says) => {
  const context = controlled();
  const answer = await askControl(line, context);
  expect(answer).toMatchObject({ status: 400, code });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
  expect(context.isChanged).toBe(false);
});

test("answers HEAD as GET, without the body", async () => {
  const get = await askControl("GET /chats");
  const head = await askControl("HEAD /chats");
  const length = String(JSON.stringify(get.body).length);
  expect(head).toMatchObject({ status: 200, body: undefined });
  expect(head.headers).toEqual({ ...get.headers, "content-length": length });
});

test("asks everyone not to keep what it answers", async () => {
  const answer = await askControl("GET /state");
  expect(answer.headers).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
});
