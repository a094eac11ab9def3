import { below, isPlace, type PlaceStep } from "./recording-path.ts";
import { excerpts, shortJson, similarity } from "./text-excerpt.ts";

/** A place where two requests differ, and by how much, where 1 is a value. What one of them lacks is undefined. */
export interface Difference {
  /** As the rules of a fixture set write it: `body.messages.0.content`. */
  readonly at: string;
  readonly recorded: string | undefined;
  readonly sent: string | undefined;
  readonly weight: number;
}

type Places = readonly (readonly PlaceStep[])[];

/** Where two values are, and which places below are not looked at. */
interface Scope {
  readonly at: string;
  readonly ignored: Places;
}

/** Where two values of JSON differ. Those of no interest are found no further than they are asked for. */
export function* valueDifferences(
  recorded: unknown,
  sent: unknown,
  scope: Scope,
): Generator<Difference, void> {
  if (isPlace(scope.ignored)) return;
  if (Array.isArray(recorded) && Array.isArray(sent)) {
    yield* elementDifferences(recorded, sent, scope);
  } else if (isObject(recorded) && isObject(sent)) {
    yield* memberDifferences(recorded, sent, scope);
  } else if (typeof recorded === "string" && typeof sent === "string") {
    if (recorded !== sent) yield textDifference(recorded, sent, scope.at);
  } else if (!Object.is(recorded, sent) && !areZeros(recorded, sent)) {
    yield { at: scope.at, recorded: shortJson(recorded), sent: shortJson(sent), weight: 2 };
  }
}

/** Two texts that differ. */
export function textDifference(recorded: string, sent: string, at: string): Difference {
  const [one, other] = excerpts(recorded, sent);
  return { at, recorded: one, sent: other, weight: 2 - similarity(recorded, sent) };
}

/** What only one of the two has. */
export function lone(at: string, recorded: unknown, sent: unknown): Difference {
  return {
    at,
    recorded: recorded === undefined ? undefined : shortJson(recorded),
    sent: sent === undefined ? undefined : shortJson(sent),
    weight: 2,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON writes both zeros alike. */
function areZeros(left: unknown, right: unknown): boolean {
  return left === 0 && right === 0;
}

function* memberDifferences(
  recorded: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
  scope: Scope,
): Generator<Difference, void> {
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(sent)])) {
    const inner = within(scope, name);
    const isIn = [recorded, sent].map((value) => Object.hasOwn(value, name));
    if (isIn.every(Boolean)) yield* valueDifferences(recorded[name], sent[name], inner);
    else if (!isPlace(inner.ignored)) {
      yield lone(
        inner.at,
        isIn[0] === true ? recorded[name] : undefined,
        isIn[1] === true ? sent[name] : undefined,
      );
    }
  }
}

/** An element more or less, as a message of a conversation, is one difference: those after it are compared with their own. */
function* elementDifferences(
  recorded: readonly unknown[],
  sent: readonly unknown[],
  scope: Scope,
): Generator<Difference, void> {
  const shared = Math.min(recorded.length, sent.length);
  const isSame = (index: number, other: number): boolean =>
    valueDifferences(recorded[index], sent[other], within(scope, String(other))).next().done ===
    true;
  let start = 0;
  while (start < shared && isSame(start, start)) start++;
  let end = 0;
  while (end < shared - start && isSame(recorded.length - 1 - end, sent.length - 1 - end)) {
    end++;
  }
  const paired = shared - end;
  for (let index = start; index < paired; index++) {
    yield* valueDifferences(recorded[index], sent[index], within(scope, String(index)));
  }
  for (let index = paired; index < recorded.length - end; index++) {
    yield lone(within(scope, String(index)).at, recorded[index], undefined);
  }
  for (let index = paired; index < sent.length - end; index++) {
    yield lone(within(scope, String(index)).at, undefined, sent[index]);
  }
}

function within({ at, ignored }: Scope, key: string): Scope {
  const step = key.replaceAll(/[\\.*[\]]/g, "\\$&");
  return { at: `${at}.${step}`, ignored: below(ignored, key) };
}
