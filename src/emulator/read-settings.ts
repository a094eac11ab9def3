import { EmulatorError } from "../errors/emulator-error.ts";
import type { EmulatorSettings } from "./options.ts";

function refuse(name: string, value: unknown, advice: string): never {
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot use the option ${name}: its value is ${JSON.stringify(value) ?? String(value)}. ${advice}`,
  );
}

/** A number within its bounds, or undefined when none is given. */
export function readNumber(
  name: string,
  value: number | undefined,
  bounds: { readonly whole?: boolean; readonly least?: number },
): number | undefined {
  if (value === undefined) return undefined;
  const { whole = false, least = -Infinity } = bounds;
  const fits = Number.isFinite(value) && value >= least && (!whole || Number.isSafeInteger(value));
  if (fits) return value;
  const kind = whole ? "a whole number" : "a number";
  return refuse(name, value, `Give ${kind}${least === -Infinity ? "" : `, ${least} or more`}.`);
}

/** A time as milliseconds of Unix time. */
export function readClock(clock: EmulatorSettings["clock"]): number | undefined {
  if (clock === undefined) return undefined;
  const time = new Date(clock).getTime();
  if (!Number.isNaN(time)) return time;
  return refuse("clock", clock, 'Give a date such as "2024-01-01T00:00:00Z".');
}

/** Mount points as prefixes without a trailing slash, the longest first, so that the closest fit is found first. */
export function readPaths(paths: string | readonly string[]): readonly string[] {
  const prefixes = [paths].flat().map((path) => {
    if (/^\/[^?#\s]*$/.test(path)) return path.replace(/\/+$/, "");
    return refuse("basePath", path, 'Give a path that begins with "/", such as "/v1".');
  });
  return [...new Set(prefixes)].toSorted((left, right) => right.length - left.length);
}

/** The least and the greatest latency. */
export function readLatency(latency: EmulatorSettings["latency"]): readonly [number, number] {
  const [least, greatest] = typeof latency === "object" ? latency : [latency ?? 0, latency ?? 0];
  const fits =
    Number.isFinite(least) && Number.isFinite(greatest) && least >= 0 && least <= greatest;
  if (fits) return [least, greatest];
  return refuse("latency", latency, "Give milliseconds, or the least and the greatest of them.");
}

/** Origins in the form in which URLs have them. */
export function readOrigins(origins: readonly string[]): readonly string[] {
  return origins.map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url !== undefined && url.origin !== "null" && url.pathname === "/") return url.origin;
    return refuse("origins", origin, 'Give scheme and host, such as "https://api.example.com".');
  });
}
