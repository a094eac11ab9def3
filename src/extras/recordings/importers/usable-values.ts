import { isObject, type JsonValue } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";

/** Deeper values are refused as fixtures. */
const deepest = 40;

/** So many parts of one value are looked at. YAML can stand for billions of them in a few lines. */
const mostParts = 100_000;

/** Why a value cannot be in a row. Undefined: it can. */
export function unusable(value: unknown): string | undefined {
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
  // Of digits beyond these the last ones are gone since the file was read.
  const hasLostDigits = Number.isInteger(value) && !Number.isSafeInteger(value);
  return hasLostDigits ? `a number cannot hold ${value} exactly` : undefined;
}

/** A value as a template that gives it as it is. Undefined: none does. */
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

/** A row without the values that no row can have. */
export function usableRow(row: JsonRow, tell: (column: string, problem: string) => void): JsonRow {
  const entries = Object.entries(row).filter(([column, value]) => {
    const problem = unusable(value);
    if (problem !== undefined) tell(column, problem);
    return problem === undefined;
  });
  return Object.fromEntries(entries);
}
