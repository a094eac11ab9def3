import { isObject } from "../../../core/schema/json.ts";
import type { AnswerBody } from "./answer.ts";

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
export const absent = "nothing";

/** What a value can be, in the order of reports. `redacted`: the recording does not tell. `deep`: too deep to be looked at. */
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

/** Deeper values are not looked at. */
const deepest = 200;

type IsRedacted = (text: string) => boolean;

/** The values at one place: of one answer, of all elements of an array, or of several recordings. */
export class Shape {
  readonly types: Set<(typeof types)[number]> = new Set();
  readonly keys: Map<string, Shape> = new Map();
  /** All elements together. Undefined: there was none. */
  elements: Shape | undefined;
  /** How many elements the longest array has. */
  longest = 0;
  #values = 0;
  #objects = 0;

  /** Adds a JSON value. `isRedacted` tells texts that stand for a value that was taken out. */
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

  /** Whether some of the objects have a key, and others lack it. */
  isOptional(key: string): boolean {
    const shape = this.keys.get(key);
    return shape !== undefined && shape.#values < this.#objects;
  }

  /** `null or string`. */
  inWords(): string {
    return types.filter((type) => this.types.has(type)).join(" or ");
  }

  /** The same of what stands under a key. */
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

/** The shapes of bodies: of JSON under `body`, of event streams under each kind of event. */
export type Shapes = ReadonlyMap<string, Shape>;

/** Adds the values of a body to shapes. */
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

/** What shapes are compared by. */
export interface ShapeRules {
  /** Whether a place is not compared. Told of each that would be. */
  readonly isLeftOut: (place: readonly string[]) => boolean;
  /** Told of a place whose value was taken out of the recording. */
  readonly redacted: (place: readonly string[]) => void;
}

/** The shapes of one place. */
interface ShapeSides {
  readonly service: Shape;
  readonly emulator: Shape;
  /** What the recordings of such a request have there. Undefined: nothing is known of it. */
  readonly known: Shape | undefined;
}

/**
 * How what the service gave differs from what the emulator gave and recordings have. Another type is told where it is
 * seen; below, what both have is compared.
 */
export function compareShapes(
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
