import type { Place } from "../../../core/replay/recording-path.ts";
import type { Answer } from "./answer.ts";
import { compareHeaders } from "./compare-headers.ts";
import { compareShapes, type ShapeRules } from "./compare-shapes.ts";
import { compareStable } from "./compare-stable.ts";
import { compareStreams } from "./compare-streams.ts";
import { type Drift, nothingThere } from "./drift.ts";
import { type KnownShapes, unknownShapes } from "./known-shapes.ts";
import { mediaType } from "./media-type.ts";
import { isWithin } from "./place.ts";
import { shapeOf, typesOf } from "./shape.ts";

/** What two answers are compared by. */
export interface CompareRules {
  /** Places whose values are compared, too. */
  readonly stable: readonly Place[];
  /** Places that are not compared. */
  readonly volatile: readonly Place[];
  /** Whether a text stands for a value that was taken out of a recording. */
  readonly isRedacted: (text: string) => boolean;
  /** What other answers to such a request have. */
  readonly known?: KnownShapes;
  /** The emulator's answer is a recording that ends before the service did: nothing is known of what came then. */
  readonly isUnfinished?: boolean;
}

/** What came of a comparison. */
export interface Compared {
  readonly drifts: readonly Drift[];
  /** Places that were not compared, and why: `body.id (volatile)`, `body.user (redacted)`. */
  readonly leftOut: readonly string[];
}

/** Two answers to one request. */
export interface Sides {
  readonly service: Answer;
  readonly emulator: Answer;
}

/** Compares two answers. Where they differ in what they are, what is in them is not compared. */
export function compareAnswers(sides: Sides, rules: CompareRules): Compared {
  const { service, emulator } = sides;
  if (isOtherStatus(service.status, emulator.status)) {
    return { drifts: [statusDrift(sides)], leftOut: [] };
  }
  const leftOut = new Set<string>();
  const shapeRules = shapeRulesOf(rules, leftOut);
  const head = [
    ...(service.status === emulator.status ? [] : [statusDrift(sides)]),
    ...compareEnds(sides, rules),
    ...compareHeaders(service.headers, emulator.headers),
  ].filter(({ place }) => !shapeRules.isLeftOut(place.split(".")));
  const shapes = [...head, ...compareBodies(sides, rules, shapeRules)];
  const { stable, isRedacted } = rules;
  const stableRules = { stable, isRedacted, isLeftOut: shapeRules.isLeftOut };
  const values = isWhole(sides, rules) ? compareStable(sides, stableRules, shapes) : [];
  return { drifts: [...shapes, ...values], leftOut: [...leftOut] };
}

function shapeRulesOf({ volatile }: CompareRules, leftOut: Set<string>): ShapeRules {
  return {
    isLeftOut: (place) => {
      const isVolatile = volatile.some((pattern) => isWithin(place, pattern));
      if (isVolatile) leftOut.add(`${place.join(".")} (volatile)`);
      return isVolatile;
    },
    redacted: (place) => void leftOut.add(`${place.join(".")} (redacted)`),
  };
}

/** A success in place of a failure, or another failure: what else differs follows from that. */
function isOtherStatus(left: number, right: number): boolean {
  if (left === right) return false;
  return left >= 400 || Math.floor(left / 100) !== Math.floor(right / 100);
}

function statusDrift({ service, emulator }: Sides): Drift {
  return { place: "status", service: statusInWords(service), emulator: statusInWords(emulator) };
}

function statusInWords({ status, end }: Answer): string {
  if (status !== 0) return String(status);
  return end === "hang" ? "no answer in time" : "no answer (the connection broke)";
}

const ends = {
  close: "complete",
  reset: "broken off",
  hang: "no end in time",
  "too-long": "too long to be read",
} as const;

function compareEnds({ service, emulator }: Sides, rules: CompareRules): readonly Drift[] {
  if (service.end === emulator.end || rules.isUnfinished === true) return [];
  return [{ place: "end", service: ends[service.end], emulator: ends[emulator.end] }];
}

function isWhole({ service, emulator }: Sides, { isUnfinished = false }: CompareRules): boolean {
  return !isUnfinished && service.end === emulator.end && service.end !== "too-long";
}

function compareBodies(
  sides: Sides,
  rules: CompareRules,
  shapeRules: ShapeRules,
): readonly Drift[] {
  const { body: service } = sides.service;
  const { body: emulator } = sides.emulator;
  const { known = unknownShapes, isRedacted } = rules;
  if (service.kind === "events" && emulator.kind === "events") {
    const events = { service: service.events, emulator: emulator.events };
    const isComplete = isWhole(sides, rules);
    return compareStreams({
      ...events,
      known,
      rules: shapeRules,
      isRedacted,
      isWhole: isComplete,
    });
  }
  // What came of a body that broke off is no JSON, and that it broke off is told.
  if (!isWhole(sides, rules)) return [];
  if (service.kind === "json" && emulator.kind === "json") {
    const [given, expected] = [service.value, emulator.value].map((value) =>
      shapeOf(value, isRedacted),
    );
    if (given === undefined || expected === undefined) return [];
    const shapes = { service: given, emulator: expected, known: known.body, place: ["body"] };
    return compareShapes(shapes, shapeRules);
  }
  return compareKinds(sides);
}

/** Bodies of different kinds, which a different content type says already. */
function compareKinds({ service, emulator }: Sides): readonly Drift[] {
  if (service.body.kind === emulator.body.kind) return [];
  const [given, expected] = [service, emulator].map(({ headers }) =>
    mediaType(headers.get("content-type")),
  );
  if (given !== expected) return [];
  return [{ place: "body", service: bodyInWords(service), emulator: bodyInWords(emulator) }];
}

function bodyInWords({ body }: Answer): string {
  switch (body.kind) {
    case "none": {
      return nothingThere;
    }
    case "json": {
      return `JSON: ${typesOf(shapeOf(body.value, () => false)).join(" or ")}`;
    }
    case "events": {
      return "an event stream";
    }
    case "text": {
      return "a text that is no JSON";
    }
    case "bytes": {
      return "bytes that are no text";
    }
  }
}
