import { invalidOption } from "../../../core/errors/emulator-error.ts";
import type { Core } from "../../../core/emulator/core.ts";
import type { SharedTables } from "../../../core/emulator/sockets/shared-tables.ts";
import { loadPostgres, type TablesStart } from "../extras.ts";
import type { Log } from "../log.ts";

/** A server's tables in PostgreSQL. */
export interface ServerTables {
  readonly shared: SharedTables;
  /** Creates the tables there from an emulator, or loads existing ones. Rejects with an `EmulatorError`. */
  readonly begin: (core: Core) => Promise<void>;
  /** Reports where the rows come from, once the server is ready. */
  readonly tell: () => void;
  /** Runs something when the emulator has all writes. Rejects with an `EmulatorError`. */
  readonly upToDate: (act: () => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Prepares to keep tables in a database, without connecting yet. Rejects with an `EmulatorError`. */
export async function keepTables(url: string, log: Log): Promise<ServerTables> {
  const { postgresTables } = await loadPostgres();
  const tables = await postgresTables(url, {
    lost: (message) => log.tables("lost", message),
    found: () => log.tables("back", "PostgreSQL answers again"),
  });
  let beginning: TablesStart | undefined;
  return {
    shared: tables,
    begin: async (core) => {
      beginning = await tables.begin(core.state.database, core.settings.tablesProfile.name);
    },
    tell: () => {
      if (beginning === undefined) return;
      const { isNew, schema, shown } = beginning;
      const place = `schema "${schema}" of ${shown}`;
      if (isNew) log.tables("made", `the fixtures' rows were put into the ${place}`);
      else log.tables("found", `the rows come from the ${place}, not from the fixtures`);
    },
    upToDate: async (act) => {
      try {
        await tables.read(act);
      } catch (error) {
        const message = tables.unreachable(error);
        if (message === undefined) throw error;
        throw invalidOption(`Cannot read the tables. ${message}`, error);
      }
    },
    close: () => tables.close(),
  };
}
