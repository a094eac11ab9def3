import { type Place, anyStep } from "../../../core/recordings/recording-path.ts";
import { type Answer, type AnswerBody, type ComparedEvent, mediaType } from "./answer.ts";
import { isObject } from "../../../core/schema/json.ts";

/** A difference between the service's answer and the emulator's. */
export interface Drift {
  /** `status`, `header.retry-after`, `body.choices.0.message.refusal`, `stream.content.usage`, `stream.events`, `end`. */
  readonly place: string;
  /** What the service sent there, in words. Values are only shown if they are compared. */
  readonly service: string;
  /** What the emulator sent there. */
  readonly emulator: string;
}

/** The word for an absent value. */
const absent = "nothing";

/**
 * The types of values, in the order of reports. `redacted`: the recording does not show the value. `deep`: the value is
 * nested too deeply.
 */
const types = [
  "boolean",
  "deep",
  "null",
  "number",
  "redacted",
  "string",
  "array",
  "object",
] as const;

/** Values that are nested deeper are not compared. */
const deepest = 200;

type IsRedacted = (text: string) => boolean;

/** The values at one place: of one answer, of all elements of an array, or of several recordings. */
export class Shape {
  readonly types: Set<(typeof types)[number]> = new Set();
  readonly keys: Map<string, Shape> = new Map();
  /** The shape of all elements together; undefined if there are none. */
  elements: Shape | undefined;
  /** The length of the longest array. */
  longest = 0;
  #values = 0;
  #objects = 0;

  /** Adds a JSON value. `isRedacted` recognises texts that replace a redacted value. */
  add(value: unknown, isRedacted: IsRedacted, depth: number = 0): this {
    const type = depth > deepest ? "deep" : typeOf(value, isRedacted);
    this.types.add(type);
    this.#values += 1;
    if (type === "array" && Array.isArray(value)) {
      this.longest = Math.max(this.longest, value.length);
      for (const element of value) {
        this.elements ??= new Shape();
        this.elements.add(element, isRedacted, depth + 1);
      }
    }
    if (type === "object" && isObject(value)) {
      this.#objects += 1;
      for (const [key, below] of Object.entries(value)) {
        const shape = this.keys.get(key) ?? new Shape();
        this.keys.set(key, shape.add(below, isRedacted, depth + 1));
      }
    }
    return this;
  }

  /** Whether only some of the objects have a key. */
  isOptional(key: string): boolean {
    const shape = this.keys.get(key);
    return shape !== undefined && shape.#values < this.#objects;
  }

  /** The types in words: `null or string`. */
  inWords(): string {
    return types.filter((type) => this.types.has(type)).join(" or ");
  }

  /** The types of the value under a key, in words. */
  keyInWords(key: string): string {
    const words = this.keys.get(key)?.inWords() ?? absent;
    return this.isOptional(key) ? `${words} or ${absent}` : words;
  }
}

function typeOf(value: unknown, isRedacted: IsRedacted): (typeof types)[number] {
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return Object.keys(value).some(isRedacted) ? "redacted" : "object";
  if (typeof value === "string") return isRedacted(value) ? "redacted" : "string";
  if (value === null) return "null";
  return typeof value === "number" ? "number" : "boolean";
}

/** The shapes of a body: for JSON under `body`, for an event stream under each kind of event. */
export type Shapes = ReadonlyMap<string, Shape>;

/** Adds the shapes of a body. */
export function addShapes(
  body: AnswerBody,
  isRedacted: IsRedacted,
  shapes: Map<string, Shape> = new Map(),
): Map<string, Shape> {
  const events = body.kind === "events" ? body.events : [];
  const values = body.kind === "json" ? [{ kind: "body", json: body.value }] : events;
  for (const { kind, json } of values) {
    if (json === undefined) continue;
    const shape = shapes.get(kind) ?? new Shape();
    shapes.set(kind, shape.add(json, isRedacted));
  }
  return shapes;
}

/** How places of shapes are compared. */
interface ShapeRules {
  /** Whether a place is not compared. Called for each place that would otherwise be. */
  readonly isLeftOut: (place: readonly string[]) => boolean;
  /** Called with a place whose value is redacted in the recording. */
  readonly redacted: (place: readonly string[]) => void;
}

/** The shapes at one place. */
interface ShapeSides {
  readonly service: Shape;
  readonly emulator: Shape;
  /** The shape in the recordings of such requests. Undefined: there are no recordings. */
  readonly known: Shape | undefined;
}

/**
 * The differences between the service's shape and what the emulator and the recordings have. A wrong type is reported
 * where it occurs, and nothing below it; otherwise the parts are compared.
 */
function compareShapes(
  sides: ShapeSides,
  place: readonly string[],
  rules: ShapeRules,
): readonly Drift[] {
  const { service, emulator, known } = sides;
  if (rules.isLeftOut(place)) return [];
  if (emulator.types.has("redacted") || known?.types.has("redacted") === true) {
    rules.redacted(place);
    return [];
  }
  const isExpected = (type: (typeof types)[number]): boolean =>
    emulator.types.has(type) || known?.types.has(type) === true;
  if (![...service.types].every(isExpected)) {
    return [{ place: place.join("."), service: service.inWords(), emulator: emulator.inWords() }];
  }
  const haveObjects = service.types.has("object") && emulator.types.has("object");
  const names = haveObjects ? new Set([...emulator.keys.keys(), ...service.keys.keys()]) : [];
  const [given, expected] = [service.elements, emulator.elements];
  const step = service.longest === 1 && emulator.longest === 1 ? "0" : "*";
  return [
    ...[...names].flatMap((name) => compareKey(name, sides, { place: [...place, name], rules })),
    ...(given === undefined || expected === undefined
      ? []
      : compareShapes(
          { service: given, emulator: expected, known: known?.elements },
          [...place, step],
          rules,
        )),
  ];
}

function compareKey(
  name: string,
  { service, emulator, known }: ShapeSides,
  { place, rules }: { readonly place: readonly string[]; readonly rules: ShapeRules },
): readonly Drift[] {
  const [given, expected] = [service.keys.get(name), emulator.keys.get(name)];
  const recorded = known?.keys.get(name);
  const isOptional = emulator.isOptional(name) || known?.isOptional(name) === true;
  const isLacking = given === undefined || service.isOptional(name);
  const isOther = expected === undefined ? recorded === undefined : isLacking && !isOptional;
  if (isOther && !rules.isLeftOut(place)) {
    const [there, here] = [service.keyInWords(name), emulator.keyInWords(name)];
    return [{ place: place.join("."), service: there, emulator: here }];
  }
  if (given === undefined || expected === undefined) return [];
  return compareShapes({ service: given, emulator: expected, known: recorded }, place, rules);
}

/** How two answers are compared. */
export interface CompareRules {
  /** Places whose values are compared, too. */
  readonly stable: readonly Place[];
  /** Places that are not compared. */
  readonly volatile: readonly Place[];
  /** Whether a text replaces a redacted value. */
  readonly isRedacted: (text: string) => boolean;
  /** The shapes of other answers to such requests. */
  readonly known?: Shapes | undefined;
  /** See `isUnfinished` of `VerifyStep`. */
  readonly isUnfinished?: boolean;
}

/** The result of a comparison. */
export interface Compared {
  readonly drifts: readonly Drift[];
  /** Places that were not compared, and why: `body.id (volatile)`, `body.user (redacted)`. */
  readonly leftOut: readonly string[];
}

/** The answers to one request. */
export interface AnswerPair {
  readonly service: Answer;
  readonly emulator: Answer;
}

/** How the parts of two answers are compared. */
interface PartRules extends CompareRules, ShapeRules {
  /** Whether both answers are complete. If not, parts may be missing only because an answer was cut off. */
  readonly isWhole: boolean;
}

/** Compares two answers. If their statuses mean different things, their contents are not compared. */
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

/** Whether a place is one that a path names, or is inside of one. `*` in a place stands for several places. */
function isWithin(place: readonly string[], { head, steps }: Place): boolean {
  if (place[0] !== head || steps.length >= place.length) return false;
  return steps.every((step, index) => {
    const there = place[index + 1];
    return step === anyStep || there === "*" || step === there;
  });
}

/**
 * Whether one answer is a failure that the other is not, or another failure. All other differences follow from that.
 */
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

/** The headers that clients react to, and what is compared of each. */
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
  // Only the scheme is compared, since a realm follows it.
  "www-authenticate": (value) => value.trim().split(/[\s,]/, 1).join("").toLowerCase(),
};

/** Only the presence of the header is compared, since its value changes. */
function presence(): string {
  return "a value";
}

/** The value of a header; for a name that ends with `*`, the names of the headers that begin with it. */
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
  // A body that broke off is not JSON, and its end has been reported already.
  if (!rules.isWhole) return [];
  if (given.kind === "json" && expected.kind === "json") {
    return [...compareKinds(given, expected, rules).values()].flat();
  }
  // Different kinds of bodies are only reported if the content types are equal. Otherwise that difference has been
  // reported.
  const [type, expectedType] = [service, emulator].map(({ headers }) =>
    mediaType(headers.get("content-type")),
  );
  if (given.kind === expected.kind || type !== expectedType) return [];
  return compareWords("body", bodyInWords(given), bodyInWords(expected));
}

/** The kinds of events in order, without repetitions. */
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

/** The differences between shapes, for each kind that both answers have: the body as JSON, or a kind of event. */
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

/** Reports a difference that several kinds of events have only once. */
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

/** The differences between values that are declared stable. Places that `told` already reports are left out. */
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

/** Whether a place is the other one, or inside of it. */
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
  // For events, only the distinct values in order count, since the number of events varies.
  const values = body.events.flatMap(({ json }) => valuesAt(json, steps, ""));
  const texts = new Set(values.map(([, text]) => text));
  const place = ["stream", ...steps.map((step) => (step === anyStep ? "*" : step))].join(".");
  return new Map(texts.size === 0 ? [] : [[place, [...texts].join(", ")]]);
}

/** The values in a JSON value that the steps lead to, as JSON text, each with its place. */
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
