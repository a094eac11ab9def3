import type { ScriptProblem } from "./check-script.ts";

type Path = ScriptProblem["path"];

/** RFC 9110, section 5.1: a token. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, section 5.5: visible characters, spaces and tabs, and what is not ASCII in one byte each. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They say how the body is framed, which the server alone knows. */
const framing = new Set(["content-length", "transfer-encoding", "connection"]);

/** What is wrong with headers that a script sends. */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
  path: Path,
): ScriptProblem[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const problem = headerProblem(name, value);
    return problem === undefined ? [] : [{ path: [...path, name], message: problem }];
  });
}

function headerProblem(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return "is not a name that a header can have";
  if (framing.has(name.toLowerCase())) return "is set by the server";
  return headerValue.test(value) ? undefined : "is not a value that a header can have";
}
