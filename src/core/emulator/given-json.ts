import { type EmulatorErrorCode, problemsError } from "../errors/emulator-error.ts";
import { copyAsJson } from "../fixture-set/json/json-copy.ts";
import { Findings, problemOf } from "../schema/findings.ts";

/**
 * A value from code as JSON carries it to a server: dates become text, undefined is left out. Throws an
 * `EmulatorError` with the path of each value that JSON would drop or change, such as a function or NaN.
 */
export function givenAsJson(
  value: unknown,
  { code, what }: { readonly code: EmulatorErrorCode; readonly what: string },
): unknown {
  const findings = new Findings();
  const copied = copyAsJson(value, findings);
  if (findings.none) return copied;
  const problems = findings.list.map(problemOf);
  throw problemsError(code, what, { problems, more: findings.more });
}
