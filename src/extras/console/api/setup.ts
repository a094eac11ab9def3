import type { TableEntry } from "../../../core/control/routes/about.ts";
import type { StateProfiles } from "../../../core/emulator/state/export-state.ts";

export type { TableEntry } from "../../../core/control/routes/about.ts";
export type ColumnEntry = TableEntry["columns"][number];

/** What `GET /__backlot/console.json` answers. */
export interface ConsoleSetup {
  readonly version: string;
  readonly session: string | null;
  /** Whether there is such a session yet. It would begin with what the base session has. */
  readonly hasBegun: boolean;
  /** The number of planned faults. */
  readonly faults: number;
  /** The folder that scripts can be written to. */
  readonly folder: string | null;
  readonly profiles: StateProfiles;
  readonly basePaths: { readonly rest: string; readonly chat: string };
  readonly keys: { readonly rest: string | null; readonly chat: string | null };
  /** The first model of the fixtures. */
  readonly model: string | null;
  readonly tables: readonly TableEntry[];
}
