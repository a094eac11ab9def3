import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import type { Core } from "../../../core/emulator/core.ts";
import type { SharedTables } from "../../../core/emulator/backends.ts";
import { loadPostgres, type TablesBeginning } from "../extras.ts";
import type { Log } from "../log/log.ts";
import type { StartFlags } from "../settings.ts";

/** The tables of a server that are kept in PostgreSQL. */
export interface ServerTables {
  readonly shared: SharedTables;
  /** Puts an emulator's tables there, or takes those that are there. Rejects with an `EmulatorError`. */
  readonly begin: (core: Core) => Promise<void>;
  /** Tells where the rows come from, once the server is ready. */
  readonly tell: () => void;
  /** Does something once the emulator has all that anybody wrote. Rejects with an `EmulatorError`. */
  readonly upToDate: (act: () => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Makes ready to keep tables at an address. Nothing is asked of it yet. Rejects with an `EmulatorError`. */
export async function keepTables(
  url: string,
  { options, log }: { readonly options: StartFlags; readonly log: Log },
): Promise<ServerTables> {
  refuseWithTables(options);
  const { postgresTables } = await loadPostgres();
  const tables = await postgresTables(url, {
    lost: (message) => log.tables("lost", message),
    found: () => log.tables("back", "PostgreSQL answers again"),
  });
  let beginning: TablesBeginning | undefined;
  return {
    shared: tables,
    begin: async (core) => {
      beginning = await tables.begin(core.state.database, core.settings.restProfile.name);
    },
    tell: () => {
      if (beginning === undefined) return;
      const { isNew, schema, shown } = beginning;
      const place = `schema "${schema}" of ${shown}`;
      if (isNew) log.tables("made", `the fixtures' rows were put into the ${place}`);
      else log.tables("found", `their rows are those in the ${place}, not those of the fixtures`);
    },
    upToDate: async (act) => {
      try {
        await tables.read(act);
      } catch (error) {
        const message = tables.unreachable(error);
        if (message === undefined) throw error;
        throw new EmulatorError("ERR_OPTION_INVALID", `Cannot read the tables. ${message}`, {
          cause: error,
        });
      }
    },
    close: () => tables.close(),
  };
}

/** What has no meaning where the tables are in PostgreSQL. */
function refuseWithTables({ watch, maxSessions }: StartFlags): void {
  if (watch === true) {
    throw cannotCombine(
      "--watch",
      "the tables are those that are in PostgreSQL, also where the fixtures change",
    );
  }
  if (maxSessions !== undefined) {
    throw cannotCombine("--max-sessions", "there are no sessions where tables are in PostgreSQL");
  }
}

function cannotCombine(name: string, why: string): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot start with --tables and ${name}: ${why}. Leave out one of the two.`,
  );
}
