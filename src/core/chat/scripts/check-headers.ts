import type { ScriptProblem } from "./script-problem.ts";

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
  return [
    ...headerNameProblems(Object.keys(headers), path),
    ...Object.entries(headers).flatMap(([name, value]) => {
      const problem = sentProblem(name, value);
      return problem === undefined ? [] : [{ path: [...path, name], message: problem }];
    }),
  ];
}

function sentProblem(name: string, value: string): string | undefined {
  if (framing.has(name.toLowerCase())) return "is set by the server";
  return headerValue.test(value) ? undefined : "is not a value that a header can have";
}

/** Names that no header can have, and those that are one name to HTTP, which knows no case. */
export function headerNameProblems(names: readonly string[], path: Path): ScriptProblem[] {
  const first = new Map<string, string>();
  return names.flatMap((name) => {
    const key = name.toLowerCase();
    const before = first.get(key);
    if (before === undefined) first.set(key, name);
    const problem = nameProblem(name, before);
    return problem === undefined ? [] : [{ path: [...path, name], message: problem }];
  });
}

function nameProblem(name: string, before: string | undefined): string | undefined {
  if (!headerName.test(name)) return "is not a name that a header can have";
  return before && `is the same header as "${before}", whatever its case; leave one of the two out`;
}
