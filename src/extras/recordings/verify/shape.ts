/** What a scalar can be. `redacted`: the recording does not tell. `deep`: too deep to be looked at. */
export type Scalar = "null" | "boolean" | "number" | "string" | "redacted" | "deep";

/** An object, or the union of several. */
export interface ObjectShape {
  readonly keys: ReadonlyMap<string, { readonly shape: Shape; readonly isOptional: boolean }>;
}

/** An array, or the union of several. */
export interface ArrayShape {
  /** The union of the elements. Undefined: there was none. */
  readonly elements: Shape | undefined;
  /** How many there were in the longest. */
  readonly length: number;
}

/** Which values a place has: those of one answer, or of several. */
export interface Shape {
  readonly scalars: ReadonlySet<Scalar>;
  readonly object: ObjectShape | undefined;
  readonly array: ArrayShape | undefined;
}

/** Deeper values are not looked at. */
const deepest = 200;

/** The shape of a JSON value. `isRedacted` tells texts that stand for a value that was taken out. */
export function shapeOf(
  value: unknown,
  isRedacted: (text: string) => boolean,
  depth: number = 0,
): Shape {
  if (depth > deepest) return scalar("deep");
  if (Array.isArray(value)) {
    const shapes = value.map((element: unknown) => shapeOf(element, isRedacted, depth + 1));
    return { ...nothing, array: { elements: uniteAll(shapes), length: value.length } };
  }
  if (typeof value === "object" && value !== null) {
    if (Object.keys(value).some(isRedacted)) return scalar("redacted");
    const keys = new Map<string, { shape: Shape; isOptional: boolean }>();
    for (const [key, below] of Object.entries(value)) {
      keys.set(key, { shape: shapeOf(below, isRedacted, depth + 1), isOptional: false });
    }
    return { ...nothing, object: { keys } };
  }
  if (typeof value === "string" && isRedacted(value)) return scalar("redacted");
  return scalar(scalarOf(value));
}

const nothing: Shape = { scalars: new Set(), object: undefined, array: undefined };

function scalar(type: Scalar): Shape {
  return { ...nothing, scalars: new Set([type]) };
}

function scalarOf(value: unknown): Scalar {
  if (value === null) return "null";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "number" ? "number" : "string";
}

/** The union of shapes; undefined of none. */
export function uniteAll(shapes: readonly Shape[]): Shape | undefined {
  const [first, ...others] = shapes;
  return first === undefined ? undefined : others.reduce(unite, first);
}

/** What two places have together. A key that one of two objects lacks is optional. */
export function unite(left: Shape, right: Shape): Shape {
  if (left === right) return left;
  return {
    scalars: new Set([...left.scalars, ...right.scalars]),
    object: uniteObjects(left.object, right.object),
    array: uniteArrays(left.array, right.array),
  };
}

function uniteObjects(
  left: ObjectShape | undefined,
  right: ObjectShape | undefined,
): ObjectShape | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const keys = new Map(left.keys);
  for (const [key, there] of left.keys) {
    if (!right.keys.has(key)) keys.set(key, { shape: there.shape, isOptional: true });
  }
  for (const [key, there] of right.keys) {
    const here = left.keys.get(key);
    keys.set(
      key,
      here === undefined
        ? { shape: there.shape, isOptional: true }
        : {
            shape: unite(here.shape, there.shape),
            isOptional: here.isOptional || there.isOptional,
          },
    );
  }
  return { keys };
}

function uniteArrays(
  left: ArrayShape | undefined,
  right: ArrayShape | undefined,
): ArrayShape | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const elements = [left.elements, right.elements].filter((shape) => shape !== undefined);
  return { elements: uniteAll(elements), length: Math.max(left.length, right.length) };
}

/** The types of a shape, in words: `null or string`. */
export function shapeTypes({ scalars, object, array }: Shape): readonly string[] {
  return [
    ...[...scalars].toSorted(),
    ...(array === undefined ? [] : ["array"]),
    ...(object === undefined ? [] : ["object"]),
  ];
}
