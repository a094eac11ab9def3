import { expect, test } from "vitest";
import { createEmulator, EmulatorError } from "../../../src/index.ts";

const fixtures = { tables: { users: [{ id: 1 }], orders: [{ id: 1 }] } };

/** What is said of a rule that is refused, one problem in each line. */
async function problemsOf(rule: unknown): Promise<string> {
  const { faults } = await createEmulator({ fixtures });
  try {
    // As JavaScript would call it.
    faults.add(rule as Parameters<typeof faults.add>[0]);
  } catch (error) {
    expect(error).toMatchObject({ name: "EmulatorError", code: "ERR_FAULT_REFUSED" });
    expect(faults.list()).toEqual([]);
    return error instanceof EmulatorError ? error.message : "";
  }
  return "none";
}

test.each([
  [{ stauts: 503 }, 'Unknown key "stauts". Did you mean "status"?'],
  [{ delay: 5 }, 'Unknown key "delay".'],
  [{ status: 503, constructor: 1 }, 'Unknown key "constructor".'],
  [{ status: 200 }, 'status: "status" must be 400 or more, but is 200.'],
  [{ status: 600 }, 'status: "status" must be 599 or less, but is 600.'],
  [{ status: 503.5 }, 'status: "status" must be a whole number, but is 503.5.'],
  [{ status: "503" }, 'status: "status" must be a number, but is "503".'],
  [
    { status: 503, interface: "table" },
    'Expected "tables" or "chat", but found "table". Did you mean "tables"?',
  ],
  [{ status: 503, method: "post" }, 'found "post". Did you mean "POST"?'],
  [{ status: 503, path: "tables" }, "Expected the beginning of a path, without session and query"],
  [
    { status: 503, path: "/@one/rest" },
    "Expected the beginning of a path, without session and query",
  ],
  [
    { status: 503, path: "/rest?id=1" },
    "Expected the beginning of a path, without session and query",
  ],
  [
    { status: 503, path: "/__backlot" },
    "Expected the beginning of a path, without session and query",
  ],
  [{ status: 503, table: "usres" }, 'table: There is no table "usres". Did you mean "users"?'],
  [{ status: 503, table: "x" }, 'There is no table "x". Tables: users, orders.'],
  [
    { status: 503, table: "users", interface: "chat" },
    'The interface "chat" has no tables. Remove "table"',
  ],
  [{ status: 503, times: 0 }, 'times: "times" must be 1 or more, but is 0.'],
  [{ status: 503, probability: 2 }, 'probability: "probability" must be 1 or less, but is 2.'],
  [{ status: 503, fault: "hang" }, 'Give "status" or "fault", not both.'],
  [{ fault: "hnag" }, 'but found "hnag". Did you mean "hang"?'],
  [{ fault: "hang", message: "No" }, '"message" belongs to an error. Give its "status" too.'],
  [{ delayMs: 5, retryAfterMs: 1 }, '"retryAfterMs" belongs to an error. Give its "status" too.'],
  [{}, 'The fault does nothing. Add "status", "delayMs" or "fault".'],
  [{ interface: "tables" }, 'The fault does nothing. Add "status", "delayMs" or "fault".'],
  [{ delayMs: -1 }, 'delayMs: "delayMs" must be 0 or more, but is -1.'],
  [{ delayMs: 600_001 }, 'delayMs: "delayMs" must be 600000 or less, but is 600001.'],
  [{ delayMs: true }, 'must be a number, or an object with "min" and "max"'],
  [{ delayMs: { min: 5, max: 4 } }, 'delayMs: "min" is 5, which is more than "max", 4.'],
  [{ delayMs: { min: 5 } }, 'delayMs: The key "max" is missing.'],
  [{ delayMs: { min: 1, mxa: 2 } }, 'delayMs.mxa: Unknown key "mxa". Did you mean "max"?'],
  [{ delayMs: { median: 5 } }, 'delayMs: The key "sigma" is missing.'],
  [{ delayMs: { mdeian: 5, sigma: 1 } }, 'Unknown key "mdeian". Did you mean "median"?'],
  [{ delayMs: { median: 0, sigma: 1 } }, '"median" must be more than 0, but is 0.'],
  [{ delayMs: { median: 1, sigma: 11 } }, '"sigma" must be 10 or less, but is 11.'],
  [{ delayMs: { median: 1, sigma: 1, min: 2 } }, 'Unknown key "min".'],
  [{ delayMs: Number.NaN }, "delayMs: The value is NaN, which JSON does not have."],
  [{ status: 500, afterChunks: 1 }, 'afterChunks: It belongs to a "fault".'],
  [{ fault: "hang", afterChunks: 1 }, "afterChunks has no effect on a hang"],
  [{ fault: "cutt" }, 'Did you mean "cut"?'],
  ["hang", 'The value must be an object, but is "hang".'],
  [null, "The value must be an object, but is null."],
  [undefined, "The value is undefined, which JSON does not have."],
])("refuses the rule %j", async (rule, problem) => {
  const problems = await problemsOf(rule);
  expect(problems).toMatch(/^Cannot plan the fault:\n/);
  expect(problems).toContain(problem);
});

test("says of a misspelt effect only that it is misspelt", async () => {
  expect((await problemsOf({ stauts: 503, message: "No" })).split("\n")).toHaveLength(2);
  expect((await problemsOf({ delayms: 5 })).split("\n")).toHaveLength(2);
});

test("lists all that is wrong with a rule", async () => {
  const problems = await problemsOf({ interfce: "tables", table: "user", status: 1, times: "two" });
  expect(problems.split("\n")).toEqual([
    "Cannot plan the fault:",
    'times: "times" must be a number, but is "two".',
    'status: "status" must be 400 or more, but is 1.',
    'interfce: Unknown key "interfce". Did you mean "interface"?',
    'table: There is no table "user". Did you mean "users"?',
  ]);
});

test.each([
  { status: 400 },
  { status: 599, message: "No", retryAfterMs: 0.5 },
  { delayMs: 0 },
  { delayMs: 600_000, status: 503 },
  { delayMs: { min: 0, max: 0 }, fault: "reset" },
  { delayMs: { median: 0.1, sigma: 0 }, times: 1, probability: 0 },
  {
    interface: "tables",
    method: "PATCH",
    path: "/",
    table: "users",
    probability: 1,
    fault: "hang",
  },
  { interface: "chat", fault: "cut", afterChunks: 5 },
  { status: 503, every: 5, times: 2, probability: 0.5 },
])("takes the rule %j", async (rule) => {
  expect(await problemsOf(rule)).toBe("none");
});

test.each([
  [[{ id: "one", status: 503 }], 'state.faults[0].id: Expected an id such as "fault 1"'],
  [[{ status: 503 }], 'state.faults[0]: The key "id" is missing.'],
  [[{ id: "fault 1", left: 0, status: 503 }], '"left" must be 1 or more, but is 0.'],
  [
    [{ id: "fault 1", every: 2, passed: 2, status: 503 }],
    '"passed" is 2, which is not less than "every", 2.',
  ],
  [
    [{ id: "fault 1" }],
    'state.faults[0]: The fault does nothing. Add "status", "delayMs" or "fault".',
  ],
  [
    [
      { id: "fault 1", status: 503 },
      { id: "fault 1", status: 500 },
    ],
    'state.faults: Two faults have the id "fault 1".',
  ],
])("refuses a state with the faults %j", async (faults, problem) => {
  const made = createEmulator({ fixtures: { ...fixtures, state: { faults } } });
  await expect(made).rejects.toThrow(problem);
});

test("fixtures can begin with planned faults, to which a reset goes back", async () => {
  const planned = { id: "fault 3", table: "users", status: 503, times: 2, left: 1 };
  const emulator = await createEmulator({
    fixtures: { ...fixtures, state: { faults: [planned] } },
  });
  emulator.faults.clear();
  emulator.reset();
  expect(emulator.faults.list()).toEqual([planned]);
  expect(emulator.faults.add({ status: 500 }).id).toBe("fault 4");
});
