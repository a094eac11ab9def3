import { expect, test } from "vitest";
import { askControl, controlled } from "./controlled.ts";

test("lists the planned faults", async () => {
  const { status, body } = await askControl("GET /faults");
  expect(status).toBe(200);
  expect(body).toEqual({ faults: [{ id: "fault 1", status: 500, times: 2, left: 2 }] });
});

test("plans a fault, and answers with what was planned", async () => {
  const context = controlled();
  const rule = { interface: "chat", status: 503 };
  const { status, body } = await askControl("POST /faults", context, { body: rule });
  expect(status).toBe(201);
  expect(body).toEqual({ ...rule, id: "fault 2" });
  expect(context.core.state.faults.list()).toHaveLength(2);
});

test.each([
  ["an array", [], "invalid_body"],
  ["a text that is no JSON", "{status:503}", "not_json"],
  ["nothing", undefined, "not_json"],
  ["a rule that does not fit", { bad: 1 }, "fault_refused"],
])("refuses %s, and plans nothing", async (_, body, code) => {
  const context = controlled();
  const answer = await askControl("POST /faults", context, { body });
  expect([answer.status, answer.code]).toEqual([400, code]);
  expect(context.isChanged).toBe(false);
});

test("lists what is wrong with a rule", async () => {
  const { body } = await askControl("POST /faults", controlled(), {
    body: { status: 500, bad: 1, times: 0 },
  });
  expect(body).toMatchObject({ error: { problems: [{ path: "times" }, { path: "bad" }] } });
});

test("takes out one fault, or all", async () => {
  const context = controlled();
  const { faults } = context.core.state;
  for (const status of [501, 502, 503]) {
    await askControl("POST /faults", context, { body: { status } });
  }
  expect((await askControl("DELETE /faults/fault%201", context)).status).toBe(204);
  expect(faults.list().map(({ id }) => id)).toEqual(["fault 2", "fault 3", "fault 4"]);
  expect((await askControl("DELETE /faults", context)).status).toBe(204);
  expect(faults.list()).toEqual([]);
});

test("names the nearest fault where there is none of an id", async () => {
  const { status, code, body } = await askControl("DELETE /faults/falt%201");
  expect([status, code]).toEqual([404, "unknown_fault"]);
  expect(JSON.stringify(body)).toContain('Did you mean \\"fault 1\\"?');
});

test("resets planned faults alone", async () => {
  const context = controlled();
  const { status } = await askControl("POST /reset", context, { body: { scope: ["faults"] } });
  expect(status).toBe(204);
  expect(context.core.state.faults.list()).toEqual([]);
});
