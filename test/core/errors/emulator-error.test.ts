import { expect, test } from "vitest";
import { EmulatorError, isEmulatorError } from "../../../src/core/errors/emulator-error.ts";

test("carries code, message, cause and problems", () => {
  const cause = new Error("inner");
  const problems = [{ message: "wrong", file: "users.json", line: 1, column: 2 }];
  const error = new EmulatorError("ERR_FIXTURES_INVALID", "Cannot load.", { cause, problems });
  expect(error).toMatchObject({
    name: "EmulatorError",
    code: "ERR_FIXTURES_INVALID",
    cause,
    problems,
  });
  expect(error.message).toBe("Cannot load.");
});

test("has no cause and no problems unless given", () => {
  const error = new EmulatorError("ERR_LISTEN", "Cannot listen.");
  expect(Object.hasOwn(error, "cause")).toBe(false);
  expect(error.problems).toEqual([]);
});

test("is told apart by name, so that another copy of the package counts too", () => {
  const foreign = Object.assign(new Error("x"), { name: "EmulatorError", code: "ERR_LISTEN" });
  expect(isEmulatorError(new EmulatorError("ERR_LISTEN", "x"))).toBe(true);
  expect(isEmulatorError(foreign)).toBe(true);
});

test.each([[null], [undefined], ["EmulatorError"], [new Error("x")], [{}]])(
  "does not take %o for one",
  (value) => {
    expect(isEmulatorError(value)).toBe(false);
  },
);
