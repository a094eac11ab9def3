const dateAndTime = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "medium",
});
const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

/** An ISO time as the reader's clock shows it, with the zone: `2026-11-28 18:58:06 GMT+1`. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  const name = zone.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${dateAndTime.format(date)} ${name}`.trim();
}

/** The time of day of an ISO time on the reader's clock, to the millisecond. */
export function localClock(iso: string): string {
  const date = new Date(iso);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
