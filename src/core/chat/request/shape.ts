import { type ChatError, chatErrors } from "../errors.ts";

/** What is looked for, one after the other, each over the whole request: a low number comes first. */
export const stages = {
  /** Something is not there. */
  missing: 0,
  /** Something is there that nobody knows. */
  unknown: 1,
  type: 2,
  /** Ranges, choices, lengths and forms. */
  value: 3,
} as const;

/** What is wrong with a value, found without knowing where in the request it stands. */
export interface Problem {
  readonly stage: (typeof stages)[keyof typeof stages];
  /** The way from the value down to what is wrong, such as `[0].role`; empty for the value itself. */
  readonly path: string;
  /** The error, once the whole path is known. */
  readonly error: (path: string) => ChatError;
}

/** What a value has to be: says what is wrong with it first, or nothing. */
export type Shape = (value: unknown) => Problem | undefined;

/** Of two problems the one that is looked for first, by default the one that was there before. */
export function earlier(
  before: Problem | undefined,
  found: Problem | undefined,
): Problem | undefined {
  if (before === undefined || found === undefined) return before ?? found;
  return found.stage < before.stage ? found : before;
}

/** Whether no problem can come before this one. */
export function isFirst(problem: Problem | undefined): boolean {
  return problem?.stage === stages.missing;
}

/** A problem of the value at a key, seen from the object. */
export function atKey(key: string, problem: Problem): Problem {
  const { path } = problem;
  return { ...problem, path: path === "" || path.startsWith("[") ? key + path : `${key}.${path}` };
}

/** A problem of an item, seen from the array. */
export function atIndex(index: number, problem: Problem): Problem {
  const { path } = problem;
  const rest = path === "" || path.startsWith("[") ? path : `.${path}`;
  return { ...problem, path: `[${index}]${rest}` };
}

/** A value that is not of the type that it has to be. */
export function wrongType(expected: string, value: unknown): Problem {
  return {
    stage: stages.type,
    path: "",
    error: (path) => chatErrors.wrongType(path, expected, value),
  };
}

/** A value of the right type that is none of those it can be. */
export function wrongValue(error: Problem["error"]): Problem {
  return { stage: stages.value, path: "", error };
}

/** A value that is not there, though it has to be. */
export function missing(key: string): Problem {
  return { stage: stages.missing, path: key, error: chatErrors.missing };
}
