import { didYouMean } from "../../core/errors/nearest-name.ts";
import { UsageError } from "./command.ts";

/** Reads a port number; 0 means any free port. */
export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError("Give a whole number from 0 to 65535; 0 picks a free port.");
}

/** Reads a whole number, which may be negative. */
export function readWhole(text: string): number {
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError("Give a whole number, such as 1.");
}

/** Reads the number of sessions to keep. */
export function readSessionCount(text: string): number {
  const count = readWhole(text);
  if (count >= 1) return count;
  throw new UsageError("Give a whole number of 1 or more, such as 1000.");
}

const decimal = /^(?:\d+\.?\d*|\.\d+)$/;

/** Reads a number, 0 or more. */
export function readFactor(text: string): number {
  if (decimal.test(text)) return Number(text);
  throw new UsageError("Give a number of 0 or more, such as 2 or 0.5; 0 does not wait.");
}

/** Reads milliseconds, or the shortest and the longest time. */
export function readLatency(text: string): number | readonly [number, number] {
  const [least = "", greatest = least, ...more] = text.split("-");
  const isRange = more.length === 0 && decimal.test(least) && decimal.test(greatest);
  if (isRange && Number(least) <= Number(greatest)) {
    return least === greatest ? Number(least) : [Number(least), Number(greatest)];
  }
  throw new UsageError("Give milliseconds, such as 200, or a range of them: 100-300.");
}

/** Reads a point in time, which stays a text. */
export function readClock(text: string): string {
  const looksLikeDate = /^\d{4}-\d{2}-\d{2}(?:T\S+)?$/.test(text);
  if (looksLikeDate && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError("Give an ISO date, such as 2024-01-01T00:00:00Z.");
}

/** Reads a key or token, which must fit into an HTTP header. */
export function readKey(text: string): string {
  if (/^[\u0021-\u007E]+$/.test(text)) return text;
  throw new UsageError("Give ASCII letters, digits and signs, without spaces.");
}

/** Makes a reader for a text that must match a form. */
export function readForm(form: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (form.test(text)) return text;
    throw new UsageError(`Give ${what}.`);
  };
}

/** Makes a reader for an option with a few values. */
export function readChoice<const Choice extends string>(
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice !== undefined) return choice;
    throw new UsageError(`Allowed choices are ${choices.join(", ")}.${didYouMean(text, choices)}`);
  };
}

/** Reads the name of a file to write. */
export function readFileName(text: string): string {
  if (text !== "" && text !== "-" && !/[\\/]$/.test(text)) return text;
  throw new UsageError("Give the name of a file, such as state.json.");
}

/** Reads the URL of a PostgreSQL database. Its password is never shown. */
export function readDatabaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^postgres(?:ql)?:$/.test(url.protocol) && isWhole(url)) return text;
  throw new UsageError(
    "Give the URL of a PostgreSQL database, such as postgres://user:password@localhost/app. " +
      "In its user and password write # as %23, / as %2F, @ as %40, ? as %3F and % as %25.",
  );
}

/**
 * Whether a URL is not cut off within its password, so that the rest counts as a port and is shown:
 * `postgres://user:12#34@localhost/app`. A `%` that starts no escape is a similar mistake.
 */
function isWhole({ username, password, pathname, search, hash }: URL): boolean {
  if (hash !== "" || /@/.test(pathname + search)) return false;
  return !/%(?![\dA-Fa-f]{2})/.test(username + password);
}

/** Reads the URL of a service or interface, without trailing slashes. */
export function readServiceUrl(
  text: string,
  example: string = "such as https://api.example.com/v1",
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`Give a URL, ${example}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(`Give a URL without a user and a password, ${example}.`);
  }
  if (url.search === "" && url.hash === "") return url.href.replace(/\/+$/, "");
  throw new UsageError(`Give a URL without a query, ${example}.`);
}
