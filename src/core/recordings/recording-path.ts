import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/show.ts";
import type { RecordingPath } from "./cassette.ts";

const heads = ["body", "query", "header"] as const;

/** A parsed place of a request or an answer. */
export interface Place {
  readonly head: (typeof heads)[number];
  /** Names and indexes below the head. `query` and `header` have exactly one, a header's in lower case. */
  readonly steps: readonly PlaceStep[];
}

/** A name or an index, or any of them. */
export type PlaceStep = string | typeof anyStep;

/** The meaning of `*`. */
export const anyStep: unique symbol = Symbol("any");

/** Reads `body.messages.*.name`. Throws an EmulatorError for an invalid path. */
export function readPlace(path: RecordingPath): Place {
  const read = placeOrProblem(path);
  if (typeof read !== "string") return read;
  throw new EmulatorError("ERR_FIXTURES_INVALID", `Cannot read the path "${path}": ${read}`);
}

/** The problem of a path, in whole sentences; undefined: none. */
export function pathProblem(path: RecordingPath): string | undefined {
  const read = placeOrProblem(path);
  return typeof read === "string" ? read : undefined;
}

function placeOrProblem(path: RecordingPath): Place | string {
  const dot = path.indexOf(".");
  const word = dot === -1 ? path : path.slice(0, dot);
  const head = heads.find((known) => known === word);
  if (head === undefined) {
    return `it begins with "${word}", which is not a part of a request.${didYouMean(word, heads)} Begin with "body", "query" or "header", as in "body.messages.*.name".`;
  }
  const rest = dot === -1 ? undefined : path.slice(dot + 1);
  if (head !== "body") return nameIn(head, rest);
  const steps = rest === undefined ? [] : readSteps(rest);
  return typeof steps === "string" ? steps : { head, steps };
}

/** Reads the rest of a path as one name, since names of parameters may contain dots. */
function nameIn(head: "query" | "header", name: string | undefined): Place | string {
  if (name === undefined || name === "") {
    const example = head === "query" ? "query.nonce" : "header.x-tenant";
    return `it names no ${head === "query" ? "parameter" : "header"}. Write "${example}", or "${head}.*" for all.`;
  }
  if (name === "*") return { head, steps: [anyStep] };
  return { head, steps: [head === "header" ? name.toLowerCase() : name] };
}

/** Reads the steps of a path. A backslash escapes the next character: `body.a\.b` is the member `a.b`. */
function readSteps(rest: string): PlaceStep[] | string {
  const steps: PlaceStep[] = [];
  for (const written of rest.split(/(?<=(?<!\\)(?:\\\\)*)\./)) {
    if (written === "") return `it has an empty step. Remove one of the dots.`;
    if (/(?<!\\)(?:\\\\)*\\$/.test(written))
      return `it ends with a backslash. Write "\\\\" for a backslash.`;
    if (written !== "*" && /(?<=(?<!\\)(?:\\\\)*)[*[\]]/.test(written)) return stepProblem(written);
    steps.push(written === "*" ? anyStep : written.replaceAll(/\\(.)/gs, "$1"));
  }
  return steps;
}

function stepProblem(written: string): string {
  return `its step "${written}" has "*" or brackets within it. Write an index as a step ("messages.0"), "*" alone for any, and "\\*" or "\\[" for the character.`;
}

/** The rest of the places that continue below `key`; the others are dropped. */
export function placesBelow(
  places: readonly (readonly PlaceStep[])[],
  key: string,
): readonly (readonly PlaceStep[])[] {
  if (places.length === 0) return places;
  const fitting = places.filter(([step]) => step === anyStep || step === key);
  return fitting.map((steps) => steps.slice(1));
}

/** Whether one of the places ends here. */
export function isPlace(places: readonly (readonly PlaceStep[])[]): boolean {
  return places.some((steps) => steps.length === 0);
}

/** Whether one of the places is a header or a parameter of this name. */
export function isVolatile(
  places: readonly Place[],
  head: "query" | "header",
  name: string,
): boolean {
  return places.some(
    (place) => place.head === head && (place.steps[0] === anyStep || place.steps[0] === name),
  );
}
