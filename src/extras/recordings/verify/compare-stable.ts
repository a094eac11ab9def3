import { anyStep, type Place } from "../../../core/replay/recording-path.ts";
import type { Answer } from "./answer.ts";
import { type Drift, nothingThere } from "./drift.ts";
import { kindsOf } from "./event-kinds.ts";
import { valuesAt } from "./place.ts";

/** What the values that are declared stable are compared by. */
export interface StableRules {
  readonly stable: readonly Place[];
  readonly isLeftOut: (place: readonly string[]) => boolean;
  readonly isRedacted: (text: string) => boolean;
}

/** How values differ that are declared stable. What `told` tells of a place already is not told again. */
export function compareStable(
  sides: { readonly service: Answer; readonly emulator: Answer },
  { stable, isLeftOut, isRedacted }: StableRules,
  told: readonly Drift[],
): readonly Drift[] {
  return stable.flatMap((path) => {
    const service = valuesOf(sides.service, path);
    const emulator = valuesOf(sides.emulator, path);
    return [...new Set([...emulator.keys(), ...service.keys()])].flatMap((place): Drift[] => {
      const [given = nothingThere, expected = nothingThere] = [
        service.get(place),
        emulator.get(place),
      ];
      if (given === expected || mentions(expected, isRedacted)) return [];
      if (isLeftOut(place.split(".")) || told.some((drift) => covers(drift.place, place))) {
        return [];
      }
      return [{ place, service: given, emulator: expected }];
    });
  });
}

/** Whether a place is another one, or lies in it. */
function covers(outer: string, inner: string): boolean {
  const steps = inner.split(".");
  return outer.split(".").every((step, index) => step === "*" || step === steps[index]);
}

function mentions(text: string, isRedacted: (text: string) => boolean): boolean {
  return (text.match(/\[[^[\]]+\]/g) ?? []).some(isRedacted);
}

/** The values at a path as JSON text, by their places. */
function valuesOf(answer: Answer, { head, steps }: Place): ReadonlyMap<string, string> {
  const { body, headers } = answer;
  if (head === "header") {
    const found = [...headers].filter(([name]) => steps[0] === anyStep || steps[0] === name);
    return new Map(found.map(([name, value]) => [`header.${name}`, value]));
  }
  if (head !== "body") return new Map();
  if (body.kind === "json") {
    const found = valuesAt(body.value, steps, ["body"]);
    return new Map(found.map(({ place, value }) => [place.join("."), JSON.stringify(value)]));
  }
  return body.kind === "events" ? valuesOfEvents(body.events, steps) : new Map();
}

/** Of events the distinct values in their order: how many of each there are is another matter each time. */
function valuesOfEvents(
  events: Parameters<typeof kindsOf>[0],
  steps: Place["steps"],
): ReadonlyMap<string, string> {
  const values = kindsOf(events).flatMap(({ json }) => valuesAt(json, steps));
  const texts = new Set(values.map(({ value }) => JSON.stringify(value)));
  const place = ["stream", ...steps.map((step) => (step === anyStep ? "*" : step))].join(".");
  return new Map(texts.size === 0 ? [] : [[place, [...texts].join(", ")]]);
}
