import type { JsonObject } from "../schema/json.ts";

/** The limits of a number. */
export interface NumberLimits {
  readonly least: number;
  readonly most: number;
  readonly above: number;
  readonly below: number;
  readonly multiplesOf: readonly number[];
}

/** The limits that all of these schemas set. */
export function numberLimits(parts: readonly JsonObject[]): NumberLimits {
  const given = (keyword: string): number[] =>
    parts.map((part) => part[keyword]).filter((value) => typeof value === "number");
  return {
    least: Math.max(...given("minimum"), -Infinity),
    most: Math.min(...given("maximum"), Infinity),
    above: Math.max(...given("exclusiveMinimum"), -Infinity),
    below: Math.min(...given("exclusiveMaximum"), Infinity),
    multiplesOf: given("multipleOf").filter((step) => step > 0),
  };
}

/** The usual distance of a number from its limit, if it has only one. */
const usualSpan = 100;

/** The most multiples that are tried, from the lowest one on. */
const mostMultiples = 500;

/** Numbers within the limits, the most usual ones first. They may fail other conditions. */
export function* numbersWithin(
  limits: NumberLimits,
  isWhole: boolean,
  random: () => number,
): Generator<number> {
  const { multiplesOf } = limits;
  const [low, high] = span(limits);
  if (!isWhole && multiplesOf.length === 0) {
    yield* fractions(low, high, random);
    return;
  }
  // With several steps, the largest one has the fewest multiples.
  const step = Math.max(...multiplesOf, ...(isWhole ? [1] : []));
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  const count = Math.max(0, Math.min(last - first + 1, usualSpan));
  const inSteps = (steps: number): number => Number((steps * step).toPrecision(15));
  const candidates = function* (): Generator<number> {
    yield inSteps(first + Math.floor(random() * count));
    for (let steps = first; steps <= last && steps < first + mostMultiples; steps++) {
      yield inSteps(steps);
    }
  };
  // In binary, 0.3 / 0.1 is not 3. Some validators divide, others use decimals, so numbers that suit both come first.
  for (const value of candidates()) {
    if (multiplesOf.every((of) => Number.isInteger(value / of))) yield value;
  }
  yield* candidates();
}

/** The range of numbers to try. */
function span({ least, most, above, below }: NumberLimits): readonly [low: number, high: number] {
  const low = Math.max(least, above);
  const high = Math.min(most, below);
  if (low === -Infinity && high === Infinity) return [1, usualSpan];
  if (low === -Infinity) return [high >= 1 ? Math.min(1, high) : high - usualSpan, high];
  if (high === Infinity) return [low, low + Math.max(usualSpan, Math.abs(low) / 1e6)];
  return [low, high];
}

function* fractions(low: number, high: number, random: () => number): Generator<number> {
  const drawn = low + (high - low) * random();
  yield Number(drawn.toFixed(2));
  yield Number(drawn.toPrecision(6));
  yield drawn;
  yield low + (high - low) / 2;
  yield low;
  yield high;
}
