import type { Script } from "../chat/scripts/script.ts";
import type { FixtureSettings } from "../fixtures/fixture-set.ts";
import type { JournalEntry } from "./journal-entry.ts";

/** The parts of a state that can be reset alone. */
export const resetScopes = ["tables", "chats", "journal"] as const;
export type ResetScope = (typeof resetScopes)[number];

/** Tables of the session. */
export interface ControlledTables {
  readonly names: () => readonly string[];
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
  /** What is still kept, oldest first. */
  readonly list: () => readonly JournalEntry[];
  readonly clear: () => void;
}

/** A session that was asked for. */
export interface SessionEntry {
  readonly id: string;
  /** An ISO time, by the emulator's clock. */
  readonly lastUsedAt: string;
  readonly requests: number;
}

/** All sessions of the emulator, whichever of them is asked. The base session is none of them. */
export interface ControlledSessions {
  readonly list: () => readonly SessionEntry[];
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
  /** Whether pages of other origins may read `/health`, the one route that answers them. */
  readonly cors: boolean;
}

/** All that the control API works with. Everything in it is that of one session, but `sessions`. */
export interface ControlContext {
  /** The session's id; undefined: the base session. */
  readonly session: string | undefined;
  readonly settings: ServiceSettings;
  readonly access: ControlAccess;
  /** Goes back to the fixtures, in these parts alone. Undefined: in everything, ids, chance and limits included. */
  readonly reset: (scope: readonly ResetScope[] | undefined) => void;
  readonly tables: ControlledTables;
  readonly chats: ControlledChats;
  readonly journal: ControlledJournal;
  readonly sessions: ControlledSessions;
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
