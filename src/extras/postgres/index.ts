import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { readAddress } from "./address.ts";
import type { TablesEvents } from "./failures.ts";
import type { PostgresTables } from "./postgres-tables.ts";

/**
 * Tables in a schema of a PostgreSQL database: `postgres://user:password@host/database?schema=name`. Does not connect
 * yet. Rejects with `ERR_OPTION_INVALID`, and with `ERR_PACKAGE_MISSING` if the driver is not installed.
 */
export async function postgresTables(url: string, events: TablesEvents): Promise<PostgresTables> {
  const address = readAddress(url);
  const { PostgresTables: Tables } = await loadRoom();
  return new Tables(address, events);
}

/** The packages are optional: tables in memory do not need them. */
async function loadRoom(): Promise<typeof import("./postgres-tables.ts")> {
  try {
    return await import("./postgres-tables.ts");
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      "Cannot keep tables in PostgreSQL: the packages kysely and pg could not be loaded. " +
        "Install them: npm install --save-dev kysely pg.",
      { cause },
    );
  }
}

function isMissingPackage(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return (
    /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code)) && /'(?:kysely|pg)'/.test(error.message)
  );
}
