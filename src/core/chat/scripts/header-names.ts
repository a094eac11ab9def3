import type { JsonPath } from "../../schema/json.ts";
import { isHeaderName } from "./header-syntax.ts";
import type { ScriptProblem } from "./script-problem.ts";

/** The problems of header names: those that are invalid, and those that are the same in another case. */
export function checkHeaderNames(
  names: readonly string[],
  path: JsonPath,
): readonly ScriptProblem[] {
  const first = new Map<string, string>();
  return names.flatMap((name) => {
    const key = name.toLowerCase();
    const before = first.get(key);
    first.set(key, before ?? name);
    const message = whyNoName(name, before);
    return message === undefined ? [] : [{ path: [...path, name], message }];
  });
}

function whyNoName(name: string, before: string | undefined): string | undefined {
  if (!isHeaderName(name)) return "is not a valid header name";
  return before && `is the same header as "${before}" in another case; remove one of the two`;
}
