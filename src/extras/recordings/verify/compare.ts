import { type Place, anyStep } from "../../../core/replay/recording-path.ts";
import { type Answer, type AnswerBody, type ComparedEvent, mediaType } from "./answer.ts";
import {
  type Drift,
  type ShapeRules,
  type Shapes,
  addShapes,
  compareShapes,
  absent,
  Shape,
} from "./shape.ts";

/** What two answers are compared by. */
export interface CompareRules {
  /** Places whose values are compared, too. */
  readonly stable: readonly Place[];
  /** Places that are not compared. */
  readonly volatile: readonly Place[];
  /** Whether a text stands for a value that was taken out of a recording. */
  readonly isRedacted: (text: string) => boolean;
  /** What other answers to such a request have. */
  readonly known?: Shapes | undefined;
  /** See `VerifyStep`. */
  readonly isUnfinished?: boolean;
}

/** What came of a comparison. */
export interface Compared {
  readonly drifts: readonly Drift[];
  /** Places that were not compared, and why: `body.id (volatile)`, `body.user (redacted)`. */
  readonly leftOut: readonly string[];
}

/** Two answers to one request. */
export interface AnswerPair {
  readonly service: Answer;
  readonly emulator: Answer;
}

/** What the parts of two answers are compared by. */
interface PartRules extends CompareRules, ShapeRules {
  /** Whether both came to their end, so that what is missing is not what was cut off. */
  readonly isWhole: boolean;
}

/** Compares two answers. Where they differ in what they are, what is in them is not compared. */
export function compareAnswers(sides: AnswerPair, given: CompareRules): Compared {
  const { service, emulator } = sides;
  const status = compareWords("status", statusInWords(service), statusInWords(emulator));
  if (isOtherStatus(service.status, emulator.status)) return { drifts: status, leftOut: [] };
  const leftOut = new Set<string>();
  const { isUnfinished = false } = given;
  const rules: PartRules = {
    ...given,
    isWhole: !isUnfinished && service.end === emulator.end && service.end !== "too-long",
    isLeftOut: (place) => {
      const isVolatile = given.volatile.some((pattern) => isWithin(place, pattern));
      if (isVolatile) leftOut.add(`${place.join(".")} (volatile)`);
      return isVolatile;
    },
    redacted: (place) => void leftOut.add(`${place.join(".")} (redacted)`),
  };
  const head = [
    ...status,
    ...(isUnfinished ? [] : compareWords("end", ends[service.end], ends[emulator.end])),
    ...Object.entries(comparedHeaders).flatMap(([name, tell]) => {
      const words = [service, emulator].map((side) => {
        const value = headerOf(side, name);
        return value === undefined ? undefined : tell(value);
      });
      return compareWords(`header.${name}`, words[0], words[1]);
    }),
  ].filter(({ place }) => !rules.isLeftOut(place.split(".")));
  const shapes = [...head, ...compareBodies(sides, rules)];
  const values = rules.isWhole ? compareStable(sides, rules, shapes) : [];
  return { drifts: [...shapes, ...values], leftOut: [...leftOut] };
}

function compareWords(
  place: string,
  service: string = absent,
  emulator: string = absent,
): readonly Drift[] {
  return service === emulator ? [] : [{ place, service, emulator }];
}

/** Whether a place is one that a path names, or lies in one. `*` in a place is any of several. */
function isWithin(place: readonly string[], { head, steps }: Place): boolean {
  if (place[0] !== head || steps.length >= place.length) return false;
  return steps.every((step, index) => {
    const there = place[index + 1];
    return step === anyStep || there === "*" || step === there;
  });
}

/** A success in place of a failure, or another failure: what else differs follows from that. */
function isOtherStatus(left: number, right: number): boolean {
  if (left === right) return false;
  return left >= 400 || Math.floor(left / 100) !== Math.floor(right / 100);
}

function statusInWords({ status, end }: Answer): string {
  if (status !== 0) return String(status);
  return end === "hang" ? "no answer in time" : "no answer (the connection broke)";
}

const ends = {
  close: "complete",
  reset: "broken off",
  hang: "no end in time",
  "too-long": "too long to read",
} as const;

/** The headers that clients act upon, and what of each is compared. */
const comparedHeaders: Readonly<Record<string, (value: string) => string | undefined>> = {
  "content-type": mediaType,
  "retry-after": presence,
  "x-ratelimit-*": (names) => names,
  location: presence,
  allow: (methods) =>
    methods
      .split(",")
      .map((method) => method.trim().toUpperCase())
      .toSorted()
      .join(", "),
  // The first word: what follows names a realm.
  "www-authenticate": (value) => value.trim().split(/[\s,]/, 1).join("").toLowerCase(),
};

/** That it is there: its value is another one each time. */
function presence(): string {
  return "a value";
}

/** A header; with a star at the end the names of those that begin so. */
function headerOf({ headers }: Answer, name: string): string | undefined {
  if (!name.endsWith("*")) return headers.get(name);
  const names = [...headers.keys()].filter((one) => one.startsWith(name.slice(0, -1)));
  return names.length === 0 ? undefined : names.toSorted().join(", ");
}

function compareBodies({ service, emulator }: AnswerPair, rules: PartRules): readonly Drift[] {
  const [given, expected] = [service.body, emulator.body];
  if (given.kind === "events" && expected.kind === "events") {
    const order = rules.isWhole
      ? compareWords("stream.events", orderInWords(given.events), orderInWords(expected.events))
      : [];
    return [...order, ...tellByKinds(compareKinds(given, expected, rules))];
  }
  // What came of a body that broke off is no JSON, and that it broke off is told.
  if (!rules.isWhole) return [];
  if (given.kind === "json" && expected.kind === "json") {
    return [...compareKinds(given, expected, rules).values()].flat();
  }
  // That the bodies are of different kinds is told by a different content type already.
  const [type, expectedType] = [service, emulator].map(({ headers }) =>
    mediaType(headers.get("content-type")),
  );
  if (given.kind === expected.kind || type !== expectedType) return [];
  return compareWords("body", bodyInWords(given), bodyInWords(expected));
}

/** The kinds of events in their order, each run of one kind once. */
function orderInWords(events: readonly ComparedEvent[]): string {
  const kinds = events.map(({ kind }) => kind);
  return kinds.filter((kind, index) => kind !== kinds[index - 1]).join(", ") || absent;
}

function bodyInWords(body: AnswerBody): string {
  const words = {
    none: absent,
    events: "an event stream",
    text: "a text that is not JSON",
    bytes: "bytes that are not text",
  } as const;
  if (body.kind !== "json") return words[body.kind];
  return `JSON: ${new Shape().add(body.value, () => false).inWords()}`;
}

/** How the shapes of values differ of each kind that both have: of JSON as a whole, or of events. */
function compareKinds(
  given: AnswerBody,
  expected: AnswerBody,
  rules: PartRules,
): ReadonlyMap<string, readonly Drift[]> {
  const emulated = addShapes(expected, rules.isRedacted);
  const compared = new Map<string, readonly Drift[]>();
  for (const [kind, service] of addShapes(given, rules.isRedacted)) {
    const emulator = emulated.get(kind);
    if (emulator === undefined) continue;
    const sides = { service, emulator, known: rules.known?.get(kind) };
    compared.set(kind, compareShapes(sides, ["body"], rules));
  }
  return compared;
}

/** What is the same in several kinds of events is told once. */
function tellByKinds(compared: ReadonlyMap<string, readonly Drift[]>): readonly Drift[] {
  const found = new Map<string, { readonly drift: Drift; readonly kinds: string[] }>();
  for (const [kind, drifts] of compared) {
    for (const drift of drifts) {
      const key = JSON.stringify(drift);
      const kinds = found.get(key)?.kinds ?? [];
      found.set(key, { drift, kinds: [...kinds, kind] });
    }
  }
  return [...found.values()].map(({ drift, kinds }) => {
    const isEvery = kinds.length > 1 && kinds.length === compared.size;
    const place = drift.place.replace("body", `stream.${isEvery ? "*" : kinds.join("+")}`);
    return { ...drift, place };
  });
}

/** How values differ that are declared stable. What `told` tells of a place already is not told again. */
function compareStable(
  sides: AnswerPair,
  { stable, isLeftOut, isRedacted }: PartRules,
  told: readonly Drift[],
): readonly Drift[] {
  return stable.flatMap((path) => {
    const service = valuesOf(sides.service, path);
    const emulator = valuesOf(sides.emulator, path);
    return [...new Set([...emulator.keys(), ...service.keys()])].flatMap((place) => {
      const expected = emulator.get(place);
      const drifts = compareWords(place, service.get(place), expected);
      const isUnknown = (expected?.match(/\[[^[\]]+\]/g) ?? []).some(isRedacted);
      if (drifts.length === 0 || isUnknown || isLeftOut(place.split("."))) return [];
      return told.some((drift) => covers(drift.place, place)) ? [] : drifts;
    });
  });
}

/** Whether a place is another one, or lies in it. */
function covers(outer: string, inner: string): boolean {
  const steps = inner.split(".");
  return outer.split(".").every((step, index) => step === "*" || step === steps[index]);
}

/** The values at a path as JSON text, by their places. */
function valuesOf({ body, headers }: Answer, { head, steps }: Place): ReadonlyMap<string, string> {
  if (head === "header") {
    const found = [...headers].filter(([name]) => steps[0] === anyStep || steps[0] === name);
    return new Map(found.map(([name, value]) => [`header.${name}`, value]));
  }
  if (head !== "body") return new Map();
  if (body.kind === "json") return new Map(valuesAt(body.value, steps, "body"));
  if (body.kind !== "events") return new Map();
  // Of events the distinct values in their order: how many of each there are is another matter each time.
  const values = body.events.flatMap(({ json }) => valuesAt(json, steps, ""));
  const texts = new Set(values.map(([, text]) => text));
  const place = ["stream", ...steps.map((step) => (step === anyStep ? "*" : step))].join(".");
  return new Map(texts.size === 0 ? [] : [[place, [...texts].join(", ")]]);
}

/** The values that steps lead to in a JSON value, as JSON text, each with its place. */
function valuesAt(
  value: unknown,
  [step, ...rest]: Place["steps"],
  place: string,
): readonly (readonly [place: string, text: string])[] {
  if (step === undefined) return value === undefined ? [] : [[place, JSON.stringify(value)]];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).filter(([key]) => step === anyStep || key === step);
  return entries.flatMap(([key, below]) => valuesAt(below, rest, `${place}.${key}`));
}
