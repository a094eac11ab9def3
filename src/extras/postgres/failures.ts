import { EmulatorError } from "../../core/errors/emulator-error.ts";
import type { TablesAddress } from "./address.ts";

/** A failure of PostgreSQL, or of the way to it, or of what is in it. */
export class DatabaseFailure extends Error {
  /** What clients are told: not where the database is, and not who asks it. The message is for the log. */
  readonly reply: string;
  /** Whether more than what was asked of it now is at fault, so that it is not over with that. */
  readonly isLasting: boolean;

  constructor(cause: unknown, { shown, schema }: Pick<TablesAddress, "shown" | "schema">) {
    const { told, more, isLasting } = explain(cause, schema);
    super(`The tables are kept in PostgreSQL at ${shown}, ${told}${more}`, { cause });
    this.reply = `The tables are kept in PostgreSQL, ${told}`;
    this.isLasting = isLasting;
  }
}

/** Whether an error is neither PostgreSQL's nor of the way to it, but a bug. */
export function isBug(error: unknown): boolean {
  const isOfLanguage =
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    error instanceof ReferenceError;
  return isOfLanguage && codeOf(error) === undefined;
}

/** The code of an error, which may be one of PostgreSQL's. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

interface Explanation {
  readonly told: string;
  /** What only the log has. */
  readonly more: string;
  readonly isLasting: boolean;
}

function explain(error: unknown, schema: string): Explanation {
  if (error instanceof UnreadableValue) {
    return { told: `and ${error.message}`, more: "", isLasting: true };
  }
  if (error instanceof EmulatorError) {
    const told = `where they are not those of the fixtures any more. Restart Backlot.`;
    return { told, more: ` ${error.message}`, isLasting: true };
  }
  const code = codeOf(error);
  // The server is about to end, or has just begun.
  const isAnswer = code !== undefined && /^(?!08|57P)[0-9A-Z]{5}$/.test(code);
  if (!isAnswer) return noAnswer(error);
  const message = messageOf(error);
  const own = refusals.get(code) ?? (code.startsWith("28") ? refusals.get("28P01") : undefined);
  if (own === undefined) {
    return { told: `which refuses: ${message}`, more: "", isLasting: /^(?:42|53|58)/.test(code) };
  }
  const { told, todo, isLasting = true } = own;
  return {
    told: `which refuses: ${told}`,
    more: ` (${message}).${todo === undefined ? "" : ` ${todo(schema, message)}`}`,
    isLasting,
  };
}

interface Refusal {
  readonly told: string;
  /** For whoever started Backlot. */
  readonly todo?: (schema: string, message: string) => string;
  /** Default true. */
  readonly isLasting?: boolean;
}

const dropped: Refusal = {
  told: "the schema was dropped, or a table in it",
  todo: (schema) => `Restart Backlot, after DROP SCHEMA IF EXISTS "${schema}" CASCADE.`,
};

/** What of the server's errors has words of its own here, by SQLSTATE. */
const refusals: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  [
    "28P01",
    { told: "the role or its password is wrong", todo: () => "Correct them in the address." },
  ],
  ["3D000", { told: "there is no such database", todo: () => "Make it: createdb <name>." }],
  ["42P01", dropped],
  ["3F000", dropped],
  [
    "42501",
    {
      told: "the role lacks a privilege",
      todo: (schema, message) =>
        /for database/.test(message)
          ? "Grant it: GRANT CREATE ON DATABASE <name> TO <role>."
          : `Grant it: GRANT USAGE, CREATE ON SCHEMA "${schema}" TO <role>; ` +
            `GRANT ALL ON ALL TABLES IN SCHEMA "${schema}" TO <role>.`,
    },
  ],
  [
    "55P03",
    {
      told: "another program has held a lock on the rows for too long. Send the request again",
      isLasting: false,
    },
  ],
]);

/** Addresses and names of machines stand in the texts of errors that have a code, and in those alone. */
function noAnswer(error: unknown): Explanation {
  const message = messageOf(error);
  if (/client password must be a string/.test(message)) {
    const told = "which wants a password, and the address has none";
    return { told, more: ". Give postgres://user:password@host/database.", isLasting: true };
  }
  const code = codeOf(firstOf(error));
  if (code === undefined || code === message) {
    return { told: `which does not answer: ${message}`, more: "", isLasting: true };
  }
  return { told: `which does not answer: ${code}`, more: ` (${message})`, isLasting: true };
}

/** Where several addresses were tried, the first says it. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

/** One line. */
function messageOf(error: unknown): string {
  const first = firstOf(error);
  const message = first instanceof Error ? first.message : String(first);
  const text = message === "" ? (codeOf(first) ?? "no reason is given") : message;
  return text.split("\n", 1)[0] ?? text;
}

/** What another program made of a table cannot be read as the table was declared. */
export class UnreadableValue extends Error {}

/** What stands somewhere that no row of the table can have there. */
export function unreadableValue(place: {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}): UnreadableValue {
  const { table, column, row } = place;
  return new UnreadableValue(
    `a value cannot be read: table "${table}", column "${column}", in the row of id ${row}. ` +
      "Another program wrote it, or altered the column. Correct it there, or delete the row.",
  );
}

/** Told of what happens to the tables. */
export interface TablesEvents {
  /** Rows cannot be had, and not because of one request alone. Once, until they can. */
  readonly lost?: (message: string) => void;
  /** They can be had again. */
  readonly found?: () => void;
}

/** Whether PostgreSQL can be asked: makes failures of what it says, and tells when it is lost and when it is found. */
export class Outage {
  readonly #address: TablesAddress;
  readonly #events: TablesEvents;
  #isTold = false;
  #isLost = false;

  constructor(address: TablesAddress, events: TablesEvents) {
    this.#address = address;
    this.#events = events;
  }

  /** Tells from now on. Before, whoever starts is told by what is thrown. */
  begin(): void {
    this.#isTold = true;
  }

  /** Asks PostgreSQL. Where that fails it rejects with a `DatabaseFailure`, unless it is a bug. */
  async reaching<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (isBug(error) || error instanceof DatabaseFailure) throw error;
      throw this.#failure(error);
    }
  }

  /** The copy is up to date. */
  reached(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#events.found?.();
  }

  #failure(error: unknown): DatabaseFailure {
    const failure = new DatabaseFailure(error, this.#address);
    if (failure.isLasting && !this.#isLost && this.#isTold) {
      this.#isLost = true;
      this.#events.lost?.(failure.message);
    }
    return failure;
  }
}
