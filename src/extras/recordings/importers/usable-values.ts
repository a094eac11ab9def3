import { isObject, type JsonValue } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";

/** The deepest nesting of a value. Fixtures refuse deeper ones. */
const deepest = 40;

/** The most parts of one value that are looked at. A few lines of YAML can stand for billions of parts. */
const mostParts = 100_000;

/** Why a value cannot be in a row; undefined if it can. */
export function whyUnusable(value: unknown): string | undefined {
  return problemIn(value, 0, { left: mostParts });
}

function problemIn(value: unknown, depth: number, budget: { left: number }): string | undefined {
  if (budget.left-- <= 0) return "it is too large";
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return numberProblem(value);
  if (!Array.isArray(value) && !isObject(value)) return "JSON has no such value";
  if (depth > deepest) return `it is nested deeper than ${deepest} levels`;
  for (const part of Object.values(value)) {
    const problem = problemIn(part, depth + 1, budget);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function numberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return `JSON has no number ${value}`;
  // An integer with more digits has lost the last of them when the file was read.
  const hasLostDigits = Number.isInteger(value) && !Number.isSafeInteger(value);
  return hasLostDigits ? `a number cannot hold ${value} exactly` : undefined;
}

/** A template that gives exactly this value. Undefined: there is none. */
export function literalTemplate(value: JsonValue): JsonValue | undefined {
  if (typeof value === "string") return literalText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(literalTemplate);
    return items.some((item) => item === undefined) ? undefined : (items as JsonValue);
  }
  const entries = Object.entries(value).map(([key, item]) => [key, literalTemplate(item)] as const);
  if (entries.some(([, item]) => item === undefined)) return undefined;
  return Object.fromEntries(entries) as JsonValue;
}

function literalText(text: string): string | undefined {
  if (!/\{[{%]/.test(text)) return text;
  return /endraw/.test(text) ? undefined : `{% raw %}${text}{% endraw %}`;
}

/** A row, without values that no row can have. */
export function usableRow(row: JsonRow, tell: (column: string, problem: string) => void): JsonRow {
  const entries = Object.entries(row).filter(([column, value]) => {
    const problem = whyUnusable(value);
    if (problem !== undefined) tell(column, problem);
    return problem === undefined;
  });
  return Object.fromEntries(entries);
}
