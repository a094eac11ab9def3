import { showText } from "../errors/show.ts";
import type { Schema } from "./schema.ts";

const timePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Unix time in milliseconds of a time with a zone, or of a date's start in UTC. Undefined for other texts. */
export function timeOf(time: string): number | undefined {
  const [matched, year, month, day] = timePattern.exec(time) ?? [];
  const instant = matched === undefined ? Number.NaN : Date.parse(time);
  // `Date.parse` accepts a 31st of any month, and takes it for a day of the next month.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number.isNaN(instant) || Number(day) > lastDay ? undefined : instant;
}

/** A time in the form that `timeOf` reads. */
export const timeText: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") run.mustBe("a text", value);
    else if (timeOf(value) === undefined) {
      run.refuse(`Expected a time such as "2024-01-01T00:00:00Z", but found ${showText(value)}.`);
    }
  },
  json: () => ({ type: "string", pattern: timePattern.source }),
};
