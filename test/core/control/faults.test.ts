import { expect, test } from "vitest";
import { askControl, handContext } from "./hand-context.ts";

test("lists the planned faults", async () => {
  const { status, body } = await askControl("GET /faults");
  expect(status).toBe(200);
  expect(body).toEqual({ faults: [{ id: "fault 1", status: 500, times: 2, left: 1 }] });
});

test("plans a fault, and answers with what was planned", async () => {
  const context = handContext();
  const rule = { interface: "chat", status: 503 };
  const { status, body } = await askControl("POST /faults", context, { body: rule });
  expect(status).toBe(201);
  expect(body).toEqual({ id: "fault 2", status: 503 });
  expect(context.done).toEqual([`plan ${JSON.stringify(rule)}`]);
});

test.each([
  ["an array", [], "invalid_body"],
  ["a text that is no JSON", "{status:503}", "not_json"],
  ["nothing", undefined, "not_json"],
  ["a rule that does not fit", { bad: 1 }, "fault_refused"],
])("refuses %s, and plans nothing", async (_, body, code) => {
  const context = handContext();
  const answer = await askControl("POST /faults", context, { body });
  expect([answer.status, answer.code]).toEqual([400, code]);
  expect(context.done).toEqual([]);
});

test("lists what is wrong with a rule", async () => {
  const { body } = await askControl("POST /faults", handContext(), { body: { bad: 1 } });
  expect(body).toMatchObject({ error: { problems: [{ message: "It is refused.", path: "a.b" }] } });
});

test("takes out one fault, or all", async () => {
  const context = handContext();
  const one = await askControl("DELETE /faults/fault%201", context);
  const all = await askControl("DELETE /faults", context);
  expect([one.status, all.status]).toEqual([204, 204]);
  expect(context.done).toEqual(["drop fault 1", "drop all"]);
});

test("names the nearest fault where there is none of an id", async () => {
  const { status, code, body } = await askControl("DELETE /faults/falt%201");
  expect([status, code]).toEqual([404, "unknown_fault"]);
  expect(JSON.stringify(body)).toContain('Did you mean \\"fault 1\\"?');
});

test("resets planned faults alone", async () => {
  const context = handContext();
  const { status } = await askControl("POST /reset", context, { body: { scope: ["faults"] } });
  expect(status).toBe(204);
  expect(context.done).toEqual(["reset faults"]);
});
