import { EmulatorError } from "../../core/errors/emulator-error.ts";
import type { TablesAddress } from "./address.ts";

/** A failure of PostgreSQL, of the connection to it, or of its contents. */
export class DatabaseFailure extends Error {
  /** The message for clients, without the database's address and user. The error's own message is for the log. */
  readonly reply: string;
  /** Whether more than the current statement is affected, so that the failure lasts. */
  readonly isLasting: boolean;

  constructor(cause: unknown, { shown, schema }: Pick<TablesAddress, "shown" | "schema">) {
    const { told, more = "", isLasting = true } = explain(cause, schema);
    super(`The tables are kept in PostgreSQL at ${shown}, ${told}${more}`, { cause });
    this.reply = `The tables are kept in PostgreSQL, ${told}`;
    this.isLasting = isLasting;
  }
}

/** Whether an error comes neither from PostgreSQL nor from the connection, and so is a bug. */
export function isBug(error: unknown): boolean {
  const ofLanguage = [TypeError, RangeError, SyntaxError, ReferenceError];
  return ofLanguage.some((kind) => error instanceof kind) && codeOf(error) === undefined;
}

/** The code of an error: PostgreSQL's or the connection's. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

interface Explanation {
  readonly told: string;
  /** Details for the log alone. */
  readonly more?: string;
  /** Whether the failure lasts. Default: true. */
  readonly isLasting?: boolean;
}

function explain(error: unknown, schema: string): Explanation {
  if (error instanceof UnreadableValue) return { told: `and ${error.message}` };
  if (error instanceof EmulatorError) {
    const told = `where they are not those of the fixtures any more. Restart Backlot.`;
    return { told, more: ` ${error.message}` };
  }
  const code = codeOf(error);
  // The server is stopping, or has just started.
  const isAnswer = code !== undefined && /^(?!08|57P)[0-9A-Z]{5}$/.test(code);
  if (!isAnswer) return noAnswer(error);
  const message = messageOf(error);
  const [told, advice] = refusalOf(code, message, schema) ?? [];
  if (told === undefined) {
    return { told: `which refuses: ${message}`, isLasting: /^(?:42|53|58)/.test(code) };
  }
  return {
    told: `which refuses: ${told}`,
    more: ` (${message}).${advice === undefined ? "" : ` ${advice}`}`,
    isLasting: code !== "55P03",
  };
}

/** Our own message for an error of the server, by SQLSTATE, and advice for the person who started Backlot. */
function refusalOf(
  code: string,
  message: string,
  schema: string,
): readonly [told: string, advice?: string] | undefined {
  switch (code.startsWith("28") ? "28P01" : code) {
    case "28P01":
      return ["the role or its password is wrong", "Correct them in the address."];
    case "3D000":
      return ["there is no such database", "Create it: createdb <name>."];
    case "42P01":
    case "3F000":
      return [
        "the schema was dropped, or a table in it",
        `Restart Backlot, after DROP SCHEMA IF EXISTS "${schema}" CASCADE.`,
      ];
    case "42501": {
      const grant = /for database/.test(message)
        ? "GRANT CREATE ON DATABASE <name> TO <role>."
        : `GRANT USAGE, CREATE ON SCHEMA "${schema}" TO <role>; ` +
          `GRANT ALL ON ALL TABLES IN SCHEMA "${schema}" TO <role>.`;
      return ["the role lacks a privilege", `Grant it: ${grant}`];
    }
    case "55P03":
      return ["another program has held a lock on the rows for too long. Send the request again"];
    default:
      return undefined;
  }
}

/**
 * The explanation of an error without an answer. If the error has a code, clients see only the code, since the message
 * may contain addresses and host names.
 */
function noAnswer(error: unknown): Explanation {
  const message = messageOf(error);
  if (/client password must be a string/.test(message)) {
    const told = "which asks for a password, but the address has none";
    return { told, more: ". Give postgres://user:password@host/database." };
  }
  const code = codeOf(firstOf(error));
  if (code === undefined || code === message) {
    return { told: `which does not answer: ${message}` };
  }
  return { told: `which does not answer: ${code}`, more: ` (${message})` };
}

/** The error of the first address, if several were tried. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

/** A message on one line. */
function messageOf(error: unknown): string {
  const first = firstOf(error);
  const message = first instanceof Error ? first.message : String(first);
  const text = message === "" ? (codeOf(first) ?? "no reason is given") : message;
  return text.split("\n", 1)[0] ?? text;
}

/** The error for a stored value that its column cannot have. */
export class UnreadableValue extends Error {
  constructor(table: string, column: string, row: string) {
    super(
      `a value cannot be read: table "${table}", column "${column}", in the row of id ${row}. ` +
        "Another program wrote it, or altered the column. Correct it there, or delete the row.",
    );
  }
}

/** Callbacks for what happens to the tables. */
export interface TablesEvents {
  /** The tables became unavailable to all requests. Called once, until they are available again. */
  readonly lost?: (message: string) => void;
  /** The tables are available again. */
  readonly found?: () => void;
}

/** Tracks whether PostgreSQL is available: turns its errors into failures and reports when it is lost and found again. */
export class Outage {
  readonly #address: TablesAddress;
  readonly #events: TablesEvents;
  #isTold = false;
  #isLost = false;

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#events = events;
  }

  /** Reports outages from now on. Before that, a starting server rejects with the failure instead. */
  begin(): void {
    this.#isTold = true;
  }

  /** Runs a query. Rejects with a `DatabaseFailure` if it fails, unless the error is a bug. */
  async reaching<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (isBug(error) || error instanceof DatabaseFailure) throw error;
      const failure = new DatabaseFailure(error, this.#address);
      if (failure.isLasting && !this.#isLost && this.#isTold) {
        this.#isLost = true;
        this.#events.lost?.(failure.message);
      }
      throw failure;
    }
  }

  /** Called when the copy is up to date, which ends an outage. */
  reached(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#events.found?.();
  }
}
