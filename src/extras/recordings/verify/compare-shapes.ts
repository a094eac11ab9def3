import type { Answer } from "./answer.ts";
import { type Drift, nothingThere } from "./drift.ts";
import { kindsOf } from "./event-kinds.ts";
import {
  type ArrayShape,
  type ObjectShape,
  type Shape,
  shapeOf,
  shapeTypes,
  unite,
} from "./shape.ts";

/** What shapes are compared by. */
export interface ShapeRules {
  /** Whether a place is not compared. Told of each that would be. */
  readonly isLeftOut: (place: readonly string[]) => boolean;
  /** Told of a place whose value was taken out of the recording. */
  readonly redacted: (place: readonly string[]) => void;
}

interface Compared {
  readonly service: Shape;
  readonly emulator: Shape;
  /** What the recordings of such a request have there. Undefined: nothing is known of it. */
  readonly known: Shape | undefined;
  readonly place: readonly string[];
}

/** How what the service gave differs from what the emulator gave and recordings have. */
export function compareShapes(compared: Compared, rules: ShapeRules): readonly Drift[] {
  const { service, emulator, known, place } = compared;
  if (rules.isLeftOut(place)) return [];
  if (emulator.scalars.has("redacted") || known?.scalars.has("redacted") === true) {
    rules.redacted(place);
    return [];
  }
  const expected = new Set([
    ...shapeTypes(emulator),
    ...(known === undefined ? [] : shapeTypes(known)),
  ]);
  if (shapeTypes(service).some((type) => !expected.has(type))) {
    return [{ place: place.join("."), service: inWords(service), emulator: inWords(emulator) }];
  }
  return [...compareObjects(compared, rules), ...compareArrays(compared, rules)];
}

/** A type of one side alone is told where it is seen; below, what both have is compared. */
function compareObjects(compared: Compared, rules: ShapeRules): readonly Drift[] {
  const { service, emulator, known, place } = compared;
  if (service.object === undefined || emulator.object === undefined) return [];
  const sides = { service: service.object, emulator: emulator.object, known: known?.object };
  const names = new Set([...sides.emulator.keys.keys(), ...sides.service.keys.keys()]);
  return [...names].flatMap((name) => compareKey(name, { sides, place: [...place, name], rules }));
}

interface KeyContext {
  readonly sides: {
    readonly service: ObjectShape;
    readonly emulator: ObjectShape;
    readonly known: ObjectShape | undefined;
  };
  readonly place: readonly string[];
  readonly rules: ShapeRules;
}

function compareKey(name: string, { sides, place, rules }: KeyContext): readonly Drift[] {
  const service = sides.service.keys.get(name);
  const emulator = sides.emulator.keys.get(name);
  const known = sides.known?.keys.get(name);
  const isOptional = emulator?.isOptional === true || known?.isOptional === true;
  if (service === undefined) {
    return isOptional || rules.isLeftOut(place) ? [] : [differs(place, service, emulator)];
  }
  if (emulator === undefined) {
    // Some of the recordings have it.
    const isKnown = known !== undefined;
    return isKnown || rules.isLeftOut(place) ? [] : [differs(place, service, emulator)];
  }
  if (service.isOptional && !isOptional && !rules.isLeftOut(place)) {
    return [differs(place, service, emulator)];
  }
  const shapes = { service: service.shape, emulator: emulator.shape, known: known?.shape };
  return compareShapes({ ...shapes, place }, rules);
}

type KeyShape = ReturnType<ObjectShape["keys"]["get"]>;

function differs(place: readonly string[], service: KeyShape, emulator: KeyShape): Drift {
  return { place: place.join("."), service: keyInWords(service), emulator: keyInWords(emulator) };
}

function keyInWords(key: KeyShape): string {
  if (key === undefined) return nothingThere;
  return key.isOptional ? `${inWords(key.shape)} or ${nothingThere}` : inWords(key.shape);
}

function compareArrays(compared: Compared, rules: ShapeRules): readonly Drift[] {
  const { service, emulator, known, place } = compared;
  const elements = service.array?.elements;
  const expected = emulator.array?.elements;
  if (elements === undefined || expected === undefined) return [];
  const step = isSingle(service.array) && isSingle(emulator.array) ? "0" : "*";
  return compareShapes(
    {
      service: elements,
      emulator: expected,
      known: known?.array?.elements,
      place: [...place, step],
    },
    rules,
  );
}

function isSingle(array: ArrayShape | undefined): boolean {
  return array?.length === 1;
}

function inWords(shape: Shape): string {
  return shapeTypes(shape).join(" or ");
}

/** What answers to one kind of request have been seen to have. */
export interface KnownShapes {
  /** Of a JSON body. Undefined: none was seen. */
  readonly body: Shape | undefined;
  /** Of each kind of event, by its name. */
  readonly events: ReadonlyMap<string, Shape>;
}

/** Nothing is known. */
export const unknownShapes: KnownShapes = { body: undefined, events: new Map() };

/** The shapes of one answer. */
export function shapesOf(
  { body }: Pick<Answer, "body">,
  isRedacted: (text: string) => boolean,
): KnownShapes {
  if (body.kind === "json") return { body: shapeOf(body.value, isRedacted), events: new Map() };
  if (body.kind !== "events") return unknownShapes;
  const events = new Map<string, Shape>();
  for (const { kind, json } of kindsOf(body.events)) {
    if (json !== undefined) addShape(events, kind, shapeOf(json, isRedacted));
  }
  return { body: undefined, events };
}

/** What two have together. */
export function uniteKnown(left: KnownShapes, right: KnownShapes): KnownShapes {
  const events = new Map(left.events);
  for (const [kind, shape] of right.events) addShape(events, kind, shape);
  const both = left.body !== undefined && right.body !== undefined;
  return { body: both ? unite(left.body, right.body) : (left.body ?? right.body), events };
}

function addShape(shapes: Map<string, Shape>, kind: string, shape: Shape): void {
  const before = shapes.get(kind);
  shapes.set(kind, before === undefined ? shape : unite(before, shape));
}
