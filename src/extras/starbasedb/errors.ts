import { jsonReply, type Reply } from "../../core/http/reply.ts";

/** A failure in the service's envelope. */
export function errorReply(status: number, error: string): Reply {
  return { answeredBy: error, ...jsonReply(status, { error }) };
}

const failures = {
  read: "Failed to retrieve data",
  replace: "Failed to replace resource",
  update: "Failed to update resource",
  delete: "Failed to delete resource",
} as const;

/** Whatever SQLite refuses, other than an insert, has one text for each method. */
export function failedReply(operation: keyof typeof failures): Reply {
  return errorReply(500, failures[operation]);
}

const sqliteCodes = {
  error: "SQLITE_ERROR",
  denied: "SQLITE_AUTH",
  constraint: "SQLITE_CONSTRAINT",
  mismatch: "SQLITE_MISMATCH",
  tooBig: "SQLITE_TOOBIG",
  full: "SQLITE_FULL",
} as const;

/** An error of SQLite that the service passes on. */
export function sqliteReply(message: string, code: keyof typeof sqliteCodes = "error"): Reply {
  return errorReply(500, `${message}: ${sqliteCodes[code]}`);
}

/** The text of a syntax error, with the place in the statement. */
export function syntaxError(token: string, offset: number): string {
  return `near "${token}": syntax error at offset ${offset}`;
}

/** The text of an error about something that is no token at all. */
export function unknownToken(token: string, offset: number): string {
  return `unrecognized token: "${token}" at offset ${offset}`;
}

const encoder = new TextEncoder();

/** An exception that nobody catches. Bytes, since a text would get a content type from `Response`. */
export function uncaughtReply(reason: string): Reply {
  return {
    status: 500,
    headers: {},
    body: { kind: "bytes", bytes: encoder.encode("Internal Server Error") },
    answeredBy: `uncaught: ${reason}`,
  };
}
