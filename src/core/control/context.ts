import type { Script } from "../chat/scripts/script.ts";
import type { FixtureSettings } from "../fixture-set/fixture-set.ts";
import type { PlannedFault } from "../fixture-set/format/fault-format.ts";
import type { Timers } from "../http/scheduler.ts";
import type { JournalWatch, JournalWatcher, KeptRequest } from "./journal-entry.ts";

/** The parts of a state that can be reset alone. */
export const resetScopes = ["tables", "chats", "journal", "faults"] as const;
export type ResetScope = (typeof resetScopes)[number];

/** What a table looks like, and how many rows it has. */
export interface TableEntry {
  readonly name: string;
  /** In the order of the key. Empty: it has none. */
  readonly primaryKey: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly notNull: boolean;
    /** `table.column`, whose values are the only ones allowed. */
    readonly references?: string;
  }[];
  readonly rows: number;
}

/** Tables of the session. */
export interface ControlledTables {
  readonly names: () => readonly string[];
  readonly describe: () => readonly TableEntry[];
  /**
   * A table's rows in row id order, as fixtures have them: their JSON text is taken back by `replace` without
   * loss, so a whole number that no JSON number holds is the text of its digits. Undefined: no such table.
   */
  readonly rows: (name: string) => readonly unknown[] | undefined;
  /**
   * Replaces all rows of a table that exists. Each is a JSON object. Throws or rejects with an EmulatorError that
   * lists every problem; nothing is changed then.
   */
  readonly replace: (name: string, rows: readonly JsonObject[]) => void | Promise<void>;
}

/** Scripts of the session. */
export interface ControlledChats {
  /** In the order in which they are tried. */
  readonly list: () => readonly Script[];
  /** How many requests each script has answered, by name; those of none are left out. */
  readonly matches: () => Readonly<Record<string, number>>;
  /**
   * Reads a script, puts it before all others and gives it as it was read, with its name. Rejects with an
   * EmulatorError when it does not fit the format or its name is taken.
   */
  readonly add: (input: unknown) => Promise<Script>;
  /** False when there is none of that name. */
  readonly remove: (name: string) => boolean;
}

/** The session's journal. */
export interface ControlledJournal {
  /** When the session began, and its journal with it. An ISO time, by the emulator's clock. */
  readonly beganAt: () => string;
  /** What is still kept, in the order in which it ended, oldest first. */
  readonly kept: () => readonly KeptRequest[];
  readonly clear: () => void;
  /** Tells what is recorded from now on, until it is stopped. It goes on when the session is forgotten and begins anew. */
  readonly watch: (watcher: JournalWatcher) => JournalWatch;
}

/** What is planned to go wrong in the session. */
export interface ControlledFaults {
  /** In the order in which they are tried, without those that acted as often as they should. */
  readonly list: () => readonly PlannedFault[];
  /**
   * Reads a rule, puts it behind the others and gives it with its id. Throws an EmulatorError that lists every
   * problem; nothing is changed then.
   */
  readonly add: (input: unknown) => PlannedFault;
  /** False when there is none of that id. */
  readonly remove: (id: string) => boolean;
  readonly clear: () => void;
}

/** A session that was asked for. */
export interface SessionEntry {
  readonly id: string;
  /** When it was made, or made anew. An ISO time, by the emulator's clock. */
  readonly beganAt: string;
  /** An ISO time, by the emulator's clock. */
  readonly lastUsedAt: string;
  readonly requests: number;
}

/** How a session begins. */
export interface SessionBeginning {
  /** The name of a snapshot. Undefined: as the base session is now. */
  readonly from?: string | undefined;
  /** Where its clock stands, in Unix time in milliseconds. */
  readonly clock?: number | undefined;
  /** What its random numbers begin from. */
  readonly seed?: number | undefined;
}

/** A snapshot that has a name. */
export interface SnapshotEntry {
  readonly name: string;
  /** An ISO time, by the emulator's clock. */
  readonly at: string;
  readonly tables: number;
  /** In all tables together. */
  readonly rows: number;
}

/** The snapshots that have a name, which all sessions of the emulator share. */
export interface ControlledSnapshots {
  /** In the order in which they were taken. */
  readonly list: () => readonly SnapshotEntry[];
  /** Takes one of the session. Throws an EmulatorError for a name that cannot be one, and when there are too many. */
  readonly take: (name: string) => void;
  /** Takes the session back to one that exists. */
  readonly restore: (name: string) => void;
  /** False when there is none of that name. */
  readonly remove: (name: string) => boolean;
}

/** All sessions of the emulator, whichever of them is asked. The base session is none of them. */
export interface ControlledSessions {
  readonly list: () => readonly SessionEntry[];
  /** Begins one, in place of one that has the id. Throws an EmulatorError for an id that cannot be one. */
  readonly begin: (id: string, how: SessionBeginning) => void;
  /** False when there is none of that id. */
  readonly remove: (id: string) => boolean;
}

/** What of the emulator's set-up the OpenAPI document tells. */
export interface ServiceSettings {
  readonly version: string;
  readonly profiles: {
    readonly rest: NonNullable<FixtureSettings["restProfile"]>;
    readonly chat: NonNullable<FixtureSettings["chatProfile"]>;
  };
  /** Prefixes without a trailing slash, so that of the root is empty. */
  readonly basePaths: { readonly rest: readonly string[]; readonly chat: readonly string[] };
  /** Whether the interfaces ask for keys. */
  readonly auth: boolean;
}

/** Whom the control API answers. */
export interface ControlAccess {
  /** What callers have to show. With it they may come from beyond this machine. */
  readonly token: string | undefined;
  /**
   * Whether the call is made by code in the same process or page, as through msw: then there is nobody to keep
   * out, and neither Host nor Origin nor token is looked at. Never true for what came over a network.
   */
  readonly inProcess: boolean;
  /** The address that a connection comes from; empty: nobody can tell any more. Undefined: there is no network between. */
  readonly peerAddress: string | undefined;
  /** Whether pages of other origins may read `/health`, the one route that answers them. */
  readonly cors: boolean;
}

/** A web page for developers, and what it may do. */
export interface ConsolePage {
  readonly consolePage: string;
  /** Its Content-Security-Policy. */
  readonly consolePolicy: string;
}

/** All that the control API works with. Everything in it is that of one session, but `sessions` and `snapshots`. */
export interface ControlContext {
  /** The session's id; undefined: the base session. */
  readonly session: string | undefined;
  /** Why no session can have the id that is asked for, and what to do. Undefined: one can. */
  readonly sessionProblem: string | undefined;
  readonly settings: ServiceSettings;
  readonly access: ControlAccess;
  /** What time passes by for a reply that goes on. */
  readonly timers: Timers;
  /** The web page at the root. Undefined: there is none. */
  readonly console: (() => Promise<ConsolePage>) | undefined;
  /** A key that each interface accepts; null where it asks for none. For the console, and in no other answer. */
  readonly keys: () => { readonly rest: string | null; readonly chat: string | null };
  /** Goes back to the fixtures, in these parts alone. Undefined: in everything, ids, chance and limits included. */
  readonly reset: (scope: readonly ResetScope[] | undefined) => void;
  readonly tables: ControlledTables;
  readonly chats: ControlledChats;
  readonly journal: ControlledJournal;
  readonly faults: ControlledFaults;
  readonly sessions: ControlledSessions;
  readonly snapshots: ControlledSnapshots;
  /** The state as one fixture document, without keys and tokens. */
  readonly exportState: () => object | Promise<object>;
  /**
   * Makes the state what a document says, which has come from JSON. Rejects with an EmulatorError that lists every
   * problem; nothing is changed then.
   */
  readonly importState: (document: JsonObject) => Promise<void>;
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;
