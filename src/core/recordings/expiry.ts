import type { Cassette } from "./cassette.ts";

/** An age such as `30d`, `12h` or `90m`. */
export const agePattern: RegExp = /^(\d{1,6})([dhm])$/;

const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** Whether a cassette is older than an age. False for a cassette without a date. */
export function hasExpired(
  { recordedAt }: Pick<Cassette, "recordedAt">,
  expiresIn: string | undefined,
  now: number,
): boolean {
  const [, count, unit = ""] = agePattern.exec(expiresIn ?? "") ?? [];
  if (recordedAt === undefined || count === undefined) return false;
  return now - Date.parse(recordedAt) > Number(count) * (units[unit] ?? 0);
}
