import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { StorageRules } from "../store/storage-rules.ts";
import type { Table } from "../store/table.ts";
import type { InterfaceName } from "./exchange.ts";

/** Tables by name whose rows the program around the emulator keeps. */
export type ServedCollections = ReadonlyMap<string, ServedCollection>;

/** A table whose rows are the records of a user's collection. */
export interface ServedCollection extends Table {
  /** A bigint that is given arrives in the record as one, also where a number would hold it. */
  readonly takesBigints: true;
  /** The same collection, served by other rules. */
  readonly under: (storage: StorageRules) => ServedCollection;
  /** The records as they are now. Only the collection itself can read a snapshot. */
  readonly snapshot: () => CollectionSnapshot;
  readonly restore: (snapshot: CollectionSnapshot) => void;
}

/** The records of a collection at one moment, and what they were related to. */
export interface CollectionSnapshot {
  readonly records: readonly object[];
  readonly relations: readonly {
    readonly foreignKeys: Set<unknown>;
    readonly keys: readonly unknown[];
  }[];
}

/** A call as a real service is to be asked it. */
export interface UpstreamCall {
  readonly call: Call;
  readonly interface: InterfaceName;
  /** Below the interface's mount point, still percent-encoded. */
  readonly path: string;
}

/** A real service behind the emulator. */
export interface Upstream {
  /** Which calls go there: all of them, or those that nothing in the fixtures answers. */
  readonly asked: "always" | "on-miss";
  /**
   * The service's answer, as it comes. A service that cannot be reached is a 502 in the interface's envelope; undefined:
   * there is no service for this interface.
   */
  readonly answer: (call: UpstreamCall) => Promise<Reply | undefined>;
}

/**
 * Tables that are kept elsewhere, where several processes share them. The base session's database is a copy, which is
 * brought up to date before an answer is made of it.
 */
export interface SharedTables {
  /** Answers out of a copy that has whatever was written before. */
  readonly read: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /** Answers while nobody else writes. What that does to the rows holds when this resolves. */
  readonly write: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /**
   * What to tell a client where one of the two rejects since the tables cannot be had: without where they are, which the
   * log says. Undefined: it is for another reason.
   */
  readonly unreachable: (error: unknown) => string | undefined;
}

/** Why there are no sessions beside tables that are shared. */
export const noSessions: string =
  "The tables are shared by several processes, and there is one state of them only, that of the base session. " +
  "Give each test a schema of its own (--tables postgres://…?schema=name), or start without --tables.";
