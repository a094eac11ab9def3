import { type Place, anyStep } from "../../../core/replay/recording-path.ts";
import { type Answer, mediaType } from "./answer.ts";
import {
  type KnownShapes,
  type ShapeRules,
  compareShapes,
  unknownShapes,
} from "./compare-shapes.ts";
import { kindsOf } from "./event-kinds.ts";
import { compareStreams } from "./compare-streams.ts";
import { type Drift, isWithin, nothingThere, valuesAt } from "./drift.ts";
import { shapeOf, shapeTypes } from "./shape.ts";

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
      return `JSON: ${shapeTypes(shapeOf(body.value, () => false)).join(" or ")}`;
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

type Headers = Answer["headers"];

/** A header that clients act upon, and what of it is compared. */
interface ComparedHeader {
  readonly name: string;
  readonly tell: (headers: Headers) => string | undefined;
}

const compared: readonly ComparedHeader[] = [
  { name: "content-type", tell: (headers) => mediaType(headers.get("content-type")) },
  { name: "retry-after", tell: (headers) => presence(headers, "retry-after") },
  { name: "x-ratelimit-*", tell: rateLimits },
  { name: "location", tell: (headers) => presence(headers, "location") },
  { name: "allow", tell: allowed },
  { name: "www-authenticate", tell: schemes },
];

/** How the headers that matter differ. */
function compareHeaders(service: Headers, emulator: Headers): readonly Drift[] {
  return compared.flatMap(({ name, tell }) => {
    const [given = nothingThere, expected = nothingThere] = [tell(service), tell(emulator)];
    if (given === expected) return [];
    return [{ place: `header.${name}`, service: given, emulator: expected }];
  });
}

/** That it is there: its value is another one each time. */
function presence(headers: Headers, name: string): string | undefined {
  return headers.has(name) ? "a value" : undefined;
}

function rateLimits(headers: Headers): string | undefined {
  const names = [...headers.keys()].filter((name) => name.startsWith("x-ratelimit-"));
  return names.length === 0 ? undefined : names.toSorted().join(", ");
}

function allowed(headers: Headers): string | undefined {
  const methods = headers.get("allow")?.split(",");
  return methods
    ?.map((method) => method.trim().toUpperCase())
    .toSorted()
    .join(", ");
}

/** The first word: what follows names a realm. */
function schemes(headers: Headers): string | undefined {
  return headers.get("www-authenticate")?.trim().split(/[\s,]/, 1).join("").toLowerCase();
}

/** What the values that are declared stable are compared by. */
interface StableRules {
  readonly stable: readonly Place[];
  readonly isLeftOut: (place: readonly string[]) => boolean;
  readonly isRedacted: (text: string) => boolean;
}

/** How values differ that are declared stable. What `told` tells of a place already is not told again. */
function compareStable(
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
