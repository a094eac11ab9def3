import { type ColumnKind, columnKinds } from "../../core/store/column-kinds.ts";
import type { JsonValue } from "../../core/schema/json.ts";

/** What tells how a column writes points in time. */
export interface TimeForm {
  readonly kind: ColumnKind;
  /** Whether the column's name or type speaks of a day. */
  readonly isDay: boolean;
  /** A value of another row. */
  readonly sample: unknown;
}

/** Forms of texts, and how they are made of `2024-01-31T12:30:00.000Z`. */
const forms: readonly (readonly [form: RegExp, write: (instant: string) => string])[] = [
  [/^\d{4}-\d\d-\d\d$/, (instant) => instant.slice(0, 10)],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, (instant) => `${instant.slice(0, 19)}Z`],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, (instant) => instant.slice(0, 19)],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, (instant) => instant.slice(0, 19).replace("T", " ")],
];

/** Later than this in seconds is the year 5138: such numbers are milliseconds. */
const mostSeconds = 1e11;

/** Writes points in time as a column has them: as the sample, else as a text or as seconds of Unix time. */
export function timeForm({ kind, isDay, sample }: TimeForm): (instant: string) => JsonValue {
  const { shape } = columnKinds[kind];
  if (typeof sample === "number" || shape === "integer" || shape === "double") {
    const unit = typeof sample === "number" && sample > mostSeconds ? 1 : 1_000;
    return (instant) => Math.floor(Date.parse(instant) / unit);
  }
  const known = forms.find(([form]) => typeof sample === "string" && form.test(sample));
  if (known !== undefined) return known[1];
  return isDay && typeof sample !== "string"
    ? (instant) => instant.slice(0, 10)
    : (instant) => instant;
}
