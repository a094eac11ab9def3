/** SQLite's own texts of the time. */
const named: Readonly<Record<string, string>> = {
  timestamp: "%Y-%m-%d %H:%M:%S",
  date: "%Y-%m-%d",
  time: "%H:%M:%S",
};

/** What each letter after `%` gives, for a time in the form `2024-01-02T03:04:05.678Z`. */
const parts: Readonly<Record<string, (iso: string, now: number) => string>> = {
  Y: (iso) => iso.slice(0, 4),
  m: (iso) => iso.slice(5, 7),
  d: (iso) => iso.slice(8, 10),
  H: (iso) => iso.slice(11, 13),
  M: (iso) => iso.slice(14, 16),
  S: (iso) => iso.slice(17, 19),
  f: (iso) => iso.slice(17, 23),
  F: (iso) => iso.slice(0, 10),
  T: (iso) => iso.slice(11, 19),
  R: (iso) => iso.slice(11, 16),
  s: (_, now) => String(Math.floor(now / 1000)),
  "%": () => "%",
};

const eachPart = /%(.)/gs;

/** Whether a format of `strftime` has only parts that are known. */
export function isKnownFormat(format: string): boolean {
  return [...format.matchAll(eachPart)].every(([, letter = ""]) => Object.hasOwn(parts, letter));
}

/** The time in UTC, in a format that has a name or that of a `strftime`. */
export function timeText(format: string, now: number): string {
  const iso = new Date(now).toISOString();
  return (named[format] ?? format).replace(
    eachPart,
    (whole, letter: string) => parts[letter]?.(iso, now) ?? whole,
  );
}
