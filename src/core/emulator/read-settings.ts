import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { showValue } from "../errors/show.ts";
import type { Observer } from "./exchange.ts";
import type { EmulatorSettings } from "./options.ts";

function refuse(name: string, value: unknown, advice: string): never {
  const isShown = !secrets.has(name) || value === "" || value === null;
  const shown = isShown ? showValue(value) : `of the type ${typeof value}`;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot use the option ${name}: its value is ${shown}. ${advice}`,
  );
}

/** Options whose values no message shows. */
const secrets: ReadonlySet<string> = new Set(["token", "apiKeys", "controlToken"]);

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
  const isTime = clock !== null && ["string", "number", "object"].includes(typeof clock);
  const time = isTime ? new Date(clock).getTime() : Number.NaN;
  if (!Number.isNaN(time)) return time;
  return refuse("clock", clock, 'Give a date such as "2024-01-01T00:00:00Z".');
}

/** Texts that are not empty. Whoever writes JavaScript may have given anything. */
function readTexts(name: string, value: unknown, advice: string): readonly string[] {
  if (!Array.isArray(value)) return refuse(name, value, advice);
  return value.map((text: unknown) =>
    typeof text === "string" && text !== "" ? text : refuse(name, text, advice),
  );
}

/** A token that a client can send. */
export function readToken(name: string, token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  return readTexts(name, [token], "Give a text that is not empty.")[0];
}

/** Keys that clients can send. */
export function readKeys(keys: readonly string[] | undefined): readonly string[] | undefined {
  if (keys === undefined) return undefined;
  return readTexts("apiKeys", keys, "Give an array of texts that are not empty.");
}

/** Mount points as prefixes without a trailing slash, the longest first, so that the closest fit is found first. */
export function readPaths(paths: string | readonly string[]): readonly string[] {
  const advice = 'Give a path that begins with "/", such as "/v1", or several.';
  const given = readTexts("basePath", typeof paths === "string" ? [paths] : paths, advice);
  if (given.length === 0) return refuse("basePath", paths, advice);
  const taken = given.find((path) => /^\/(?:__backlot(?:\/|$)|@[^/])/.test(path));
  if (taken !== undefined) {
    return refuse(
      "basePath",
      taken,
      'Give another path: "/__backlot" is the control API\'s, and what begins with "/@" names a session.',
    );
  }
  const prefixes = given.map((path) =>
    /^\/[^?#\s]*$/.test(path) ? path.replace(/\/+$/, "") : refuse("basePath", path, advice),
  );
  return [...new Set(prefixes)].toSorted((left, right) => right.length - left.length);
}

/** The least and the greatest latency. */
export function readLatency(latency: EmulatorSettings["latency"]): readonly [number, number] {
  const [least, greatest] = Array.isArray(latency) ? latency : [latency ?? 0, latency ?? 0];
  const fits =
    latency !== null &&
    Number.isFinite(least) &&
    Number.isFinite(greatest) &&
    least >= 0 &&
    least <= greatest;
  if (fits) return [least, greatest];
  return refuse("latency", latency, "Give milliseconds, or the least and the greatest of them.");
}

/** Origins in the form in which URLs have them. */
export function readOrigins(origins: readonly string[]): readonly string[] {
  const advice = 'Give scheme and host, such as "https://api.example.com", in an array.';
  return readTexts("origins", origins, advice).map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url !== undefined && url.origin !== "null" && url.pathname === "/") return url.origin;
    return refuse("origins", origin, advice);
  });
}

const elsewhere: ReadonlyMap<string, string> = new Map([
  ["restProfile", ' Write profiles: { rest: "starbasedb" }.'],
  ["chatProfile", ' Write profiles: { chat: "openai" }.'],
  ["from", " It is one of session(id, { from }), and of createTest({ emulator, from })."],
  ["skipUnsupported", " It is one of loadFixtures, whose result can be given as fixtures."],
]);

/** Where an option belongs that exists, in the fixtures' terms or for another function. Empty: nowhere. */
export function placeOfSetting(name: string): string {
  return elsewhere.get(name) ?? "";
}

const profileNames: readonly string[] = ["tables", "rest", "chat"];

/** Names of profiles by interface, those of the tables as `rest`. */
export function readProfiles(
  profiles: EmulatorSettings["profiles"],
): Omit<NonNullable<EmulatorSettings["profiles"]>, "tables"> {
  if (profiles === undefined) return {};
  const isObject = typeof profiles === "object" && profiles !== null;
  const fits = isObject && Object.keys(profiles).every((key) => profileNames.includes(key));
  const advice = 'Give an object with "tables", "chat" or both.';
  if (!fits || (profiles.tables !== undefined && profiles.rest !== undefined)) {
    return refuse("profiles", profiles, advice);
  }
  const { tables, ...others } = profiles;
  return tables === undefined ? others : { ...others, rest: tables };
}

const observerNames: readonly (keyof Observer)[] = ["exchanged", "failed"];

/** What is told of exchanges and failures. Objects of a class may have what they like besides. */
export function readObserver(observer: Observer): Observer {
  if (typeof observer !== "object" || observer === null) {
    return refuse("observer", observer, 'Give an object with "exchanged", "failed" or both.');
  }
  const prototype: unknown = Object.getPrototypeOf(observer);
  const isPlain = prototype === Object.prototype || prototype === null;
  const unknown = Object.keys(observer).find(
    (name) => !observerNames.some((known) => known === name),
  );
  if (isPlain && unknown !== undefined) {
    throw new EmulatorError(
      "ERR_OPTION_INVALID",
      `Cannot use the option observer: nothing calls its "${unknown}".${didYouMean(unknown, observerNames)} ` +
        `Use: ${observerNames.join(", ")}.`,
    );
  }
  for (const name of observerNames) {
    const value: unknown = observer[name];
    if (value === undefined || typeof value === "function") continue;
    refuse(`observer.${name}`, value, "Give a function.");
  }
  return observer;
}
