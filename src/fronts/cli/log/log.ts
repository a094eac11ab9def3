import type { ExchangeRecord, Observer } from "../../../core/emulator/exchange.ts";
import type { FixtureCounts } from "../fixture-counts.ts";
import type { Ready } from "../ready.ts";

/** Tables in PostgreSQL were created or found at the start; or the database is lost or back. */
export type TablesState = "made" | "found" | "lost" | "back";

/** Fixtures that were reloaded while the server runs. */
export interface Reloaded {
  readonly fixtures: string;
  readonly counts: FixtureCounts;
  /** Whether the previous attempt failed. */
  readonly recovered: boolean;
  /** What no longer exists, such as `table "orders"`. */
  readonly gone: readonly string[];
}

/** What an emulator tells a log. */
export function observerOf({ exchange, warned, failed }: Log): Observer {
  return exchange === undefined ? { warned, failed } : { exchanged: exchange, warned, failed };
}

/** Tells the user what a running server does. */
export interface Log {
  readonly ready: (ready: Ready) => void;
  /** Left out if nobody reads it: collecting its data takes longer than a short answer. */
  readonly exchange?: (record: ExchangeRecord) => void;
  readonly reloaded: (reloaded: Reloaded) => void;
  /** The fixtures are broken; the previous ones stay. */
  readonly refused: (fixtures: string, error: unknown) => void;
  /** The state of tables in PostgreSQL. */
  readonly tables: (state: TablesState, message: string) => void;
  /** Something that the user should know, and what to do. */
  readonly warned: (message: string) => void;
  /** An unexpected failure; the server goes on. */
  readonly failed: (error: unknown) => void;
}
