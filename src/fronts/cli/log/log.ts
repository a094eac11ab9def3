import type { ExchangeRecord, Observer } from "../../../core/emulator/exchange.ts";
import type { FixtureCounts } from "../fixture-counts.ts";
import type { Ready } from "../ready.ts";

/** Tables in PostgreSQL were made or found at the start; or it does not answer, or does so again. */
export type TablesState = "made" | "found" | "lost" | "back";

/** Fixtures that were loaded while the server runs. */
export interface Reloaded {
  readonly fixtures: string;
  readonly counts: FixtureCounts;
  /** True when the last attempt before this one failed. */
  readonly recovered: boolean;
  /** What was there before and is not any more, such as `table "orders"`. */
  readonly gone: readonly string[];
}

/** What an emulator tells a log. */
export function observerOf({ exchange, warned, failed }: Log): Observer {
  return exchange === undefined ? { warned, failed } : { exchanged: exchange, warned, failed };
}

/** Tells the user what a running server does. */
export interface Log {
  readonly ready: (ready: Ready) => void;
  /** Left out where nobody reads it: what it is told takes longer to find than a short answer. */
  readonly exchange?: (record: ExchangeRecord) => void;
  readonly reloaded: (reloaded: Reloaded) => void;
  /** The fixtures are broken; those that were loaded last stay. */
  readonly refused: (fixtures: string, error: unknown) => void;
  /** What becomes of tables that are kept in PostgreSQL. */
  readonly tables: (state: TablesState, message: string) => void;
  /** Something that the user should know, and what to do. */
  readonly warned: (message: string) => void;
  /** Something failed that should not have; the server goes on. */
  readonly failed: (error: unknown) => void;
}
