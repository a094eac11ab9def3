import type { TablesAddress } from "./address.ts";

/** A failure of PostgreSQL, or of the way to it. */
export class DatabaseFailure extends Error {
  /** Whether the server, or the way to it, is at fault, and not what was asked of it. */
  readonly isOutage: boolean;

  constructor(cause: unknown, { shown }: Pick<TablesAddress, "shown">) {
    const isOutage = isOutageError(cause);
    const reason = reasonOf(cause);
    super(
      isOutage
        ? `The tables are kept in PostgreSQL at ${shown}, which does not answer: ${reason}`
        : `The tables are kept in PostgreSQL at ${shown}, which refuses: ${reason}`,
      { cause },
    );
    this.isOutage = isOutage;
  }
}

/** Connections, passwords, lack of resources, the operator's doing, locks, deadlocks, and a schema that is gone. */
const outages = /^(?:08|28|40|53|57|58)|^(?:25P03|3D000|3F000|42P01|55P03)$/;

function isOutageError(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || outages.test(code);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** One line. Where several addresses were tried, the first says it. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  const text = message === "" ? (codeOf(error) ?? "no reason is given") : message;
  return text.split("\n", 1)[0] ?? text;
}
