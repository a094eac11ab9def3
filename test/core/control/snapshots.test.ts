import { expect, test } from "vitest";
import { askControl, controlled } from "./controlled.ts";

test("lists snapshots, takes, restores and forgets one", async () => {
  const context = controlled();
  expect((await askControl("PUT /snapshots/mine", context)).status).toBe(204);
  await askControl("PUT /tables/users", context, { body: [] });
  expect((await askControl("POST /snapshots/mine/restore", context)).status).toBe(204);
  expect((await askControl("GET /tables/users", context)).body).toEqual([{ id: 1, name: "Ada" }]);
  const { body } = await askControl("GET /snapshots", context);
  const entry = { at: "2024-01-01T00:00:00.000Z", tables: 3, rows: 1 };
  expect(body).toEqual({
    snapshots: [
      { name: "seeded", ...entry },
      { name: "mine", ...entry },
    ],
  });
  expect((await askControl("DELETE /snapshots/mine", context)).status).toBe(204);
  expect(context.core.snapshots.list().map(({ name }) => name)).toEqual(["seeded"]);
});

test.each([
  [undefined, 0, Date.UTC(2024, 0, 1)],
  [{ from: "seeded", seed: 5 }, 1, Date.UTC(2024, 0, 1)],
  [{ clock: "2025-01-01T01:00:00+01:00" }, 0, Date.UTC(2025, 0, 1)],
])("begins a session by the body %j", async (body, rows, now) => {
  const context = controlled();
  await askControl("PUT /tables/users", context, { body: [] });
  expect((await askControl("PUT /sessions/new%2F1", context, { body })).status).toBe(204);
  const begun = context.core.sessions.get("new/1");
  expect([begun.state.database.table("users")?.size, begun.now()]).toEqual([rows, now]);
});

test.each([
  ["PUT /snapshots/%00", undefined, 400, "snapshot_refused", "no control characters"],
  ["POST /snapshots/seded/restore", undefined, 404, "unknown_snapshot", '"seeded"'],
  ["DELETE /snapshots/seded", undefined, 404, "unknown_snapshot", '"seeded"'],
  ["PUT /sessions/x", { from: "seded" }, 404, "unknown_snapshot", '"seeded"'],
  ["PUT /sessions/x", { form: "seeded" }, 400, "invalid_body", '"from"'],
  ["PUT /sessions/x", { from: "" }, 400, "invalid_body", "must not be empty"],
  ["PUT /sessions/x", { clock: "soon" }, 400, "invalid_body", "2024-01-01T00:00:00Z"],
  ["PUT /sessions/x", { seed: "1" }, 400, "invalid_body", "a number"],
  [`PUT /sessions/${"x".repeat(201)}`, {}, 400, "session_refused", "1 to 200 characters"],
  ["GET /snapshots/a/b/restore", undefined, 404, "unknown_path", "no such path"],
  ["POST /snapshots/seeded/restor", undefined, 404, "unknown_path", "/snapshots/seeded/restore"],
  ["POST /snapshots//restore", undefined, 404, "unknown_path", "no such path"],
  ["GET /snapshots/seeded/restore", undefined, 405, "method_not_allowed", "POST"],
  ["POST /snapshots/%/restore", undefined, 400, "invalid_path", "percent"],
])("refuses %s with %j, and changes nothing", async (line, body, status, code, says) => {
  const context = controlled();
  const answer = await askControl(line, context, { body });
  expect(answer).toMatchObject({ status, code });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
  expect(context.isChanged).toBe(false);
});
