import type { JsonValue } from "../schema/json.ts";

/** Deeper values are refused: reading them back recursively would run out of stack. */
export const deepestNesting = 1_000;

/**
 * A frozen copy of a JSON value, so that nobody can change a stored row from outside. Undefined for what is
 * not JSON (an infinite number, a date, a function), or is nested too deeply.
 */
export function copyJson(value: unknown, depth = 0): JsonValue | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  // JSON has no negative zero of its own, and -0 would be another value to some comparisons.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== "object" || depth >= deepestNesting) return undefined;
  return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth);
}

function copyArray(values: readonly unknown[], depth: number): JsonValue | undefined {
  const copies: JsonValue[] = [];
  for (const value of values) {
    const copy = copyJson(value, depth + 1);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  return Object.freeze(copies);
}

function copyObject(object: object, depth: number): JsonValue | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  // Only plain objects: a Date or a Map would lose what it means. Those of another realm are plain too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(object)) {
    const copy = copyJson(value, depth + 1);
    if (copy === undefined) return undefined;
    entries.push([key, copy]);
  }
  // Unlike assignment, this makes an ordinary property of a key such as `__proto__`.
  return Object.freeze(Object.fromEntries(entries));
}
