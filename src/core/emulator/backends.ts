import type { RecordingRules } from "../replay/cassette.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { StorageRules } from "../store/storage-rules.ts";
import type { Table } from "../store/table.ts";
import type { Interface } from "../interface.ts";

/** Tables by name whose rows belong to the surrounding program. */
export type ServedCollections = ReadonlyMap<string, ServedCollection>;

/** A table whose rows are the records of a user's collection. */
export interface ServedCollection extends Table {
  /** Whether a given bigint reaches the record as a bigint, even if a number would hold it. */
  readonly takesBigints: true;
  /** The same collection under other storage rules. */
  readonly under: (storage: StorageRules) => ServedCollection;
  /** The current records. Only the collection itself can read a snapshot. */
  readonly snapshot: () => CollectionSnapshot;
  readonly restore: (snapshot: CollectionSnapshot) => void;
}

/** The records of a collection at one moment, with their relations. */
export interface CollectionSnapshot {
  readonly records: readonly object[];
  readonly relations: readonly {
    readonly foreignKeys: Set<unknown>;
    readonly keys: readonly unknown[];
  }[];
}

/** A call to a real service. */
export interface UpstreamCall {
  readonly call: Call;
  readonly interface: Interface;
  /** The path below the interface's mount point, still percent-encoded. */
  readonly path: string;
}

/** A real service behind the emulator. */
export interface Upstream {
  /** Which calls go there: all of them, or those that nothing in the fixtures answers. */
  readonly asked: "always" | "on-miss";
  /**
   * The service's answer, streamed as it arrives. An unreachable service is a 502 in the interface's envelope;
   * undefined: there is no service for this interface.
   */
  readonly answer: (call: UpstreamCall) => Promise<Reply | undefined>;
}

/** Tables that several processes share. The base session's database is a copy, which is updated before each answer. */
export interface SharedTables {
  /** Answers from a copy that has all earlier writes. */
  readonly read: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /** Answers while nobody else writes. Its changes are permanent when this resolves. */
  readonly write: <Result>(answer: () => Promise<Result>) => Promise<Result>;
  /**
   * The message for clients when one of the two rejects because the tables are unavailable. It does not say where
   * they are; the log does. Undefined: another reason.
   */
  readonly unreachable: (error: unknown) => string | undefined;
}

/** The folder that the fixtures come from, and are loaded from again when it changes. */
export interface FixtureFolder {
  /** Its name in messages. */
  readonly label: string;
  /**
   * Writes a new file, named by its path in the folder. Rejects with `ERR_SCRIPT_REFUSED`, and leaves a file that is
   * there as it is.
   */
  readonly write: (name: string, text: string) => Promise<void>;
  /**
   * Writes an HTTP archive as cassettes, in place of those of the same names. Rejects with `ERR_OPTION_INVALID` if
   * there is nothing to write, or no place.
   */
  readonly record: (har: object, rules: RecordingRules) => Promise<WrittenCassettes>;
}

/** The files that an archive came to, and what was left out. */
export interface WrittenCassettes {
  readonly files: readonly string[];
  readonly remarks: readonly string[];
}

/** Why shared tables allow no sessions. */
export const noSessions: string =
  "The tables are shared by several processes, so only the base session exists. " +
  "Give each test a schema of its own (--tables postgres://…?schema=name), or start without --tables.";
