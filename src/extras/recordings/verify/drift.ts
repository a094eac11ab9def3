import { type Place, type PlaceStep, anyStep } from "../../../core/replay/recording-path.ts";

/** One difference between what the service gives and what the emulator gives. */
export interface Drift {
  /** `status`, `header.retry-after`, `body.choices.0.message.refusal`, `stream.content.usage`, `stream.events`, `end`. */
  readonly place: string;
  /** What the service gave there, in words. Values are told only where they are compared. */
  readonly service: string;
  /** What the emulator gave there. */
  readonly emulator: string;
}

/** What stands for a place that is not there. */
export const nothingThere = "nothing";

/** Whether a place is one that a path names, or lies in one. `*` in a place is any of several. */
export function isWithin(place: readonly string[], { head, steps }: Place): boolean {
  if (place[0] !== head || steps.length >= place.length) return false;
  return steps.every((step, index) => {
    const there = place[index + 1];
    return step === anyStep || there === "*" || step === there;
  });
}

/** A value and where it is. */
interface PlacedValue {
  readonly place: readonly string[];
  readonly value: unknown;
}

/** The values that steps lead to in a JSON value, in order. */
export function valuesAt(
  value: unknown,
  steps: readonly PlaceStep[],
  place: readonly string[] = [],
): readonly PlacedValue[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [{ place, value }];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).filter(([key]) => step === anyStep || key === step);
  return entries.flatMap(([key, below]) => valuesAt(below, rest, [...place, key]));
}
