import type { EmulatorSession, RequestJournal } from "../../core/emulator/emulator.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { type AskControl, type ControlAccess, controlClient } from "./control-client.ts";
import { nameInPath } from "./name-in-path.ts";
import { type RemoteFaults, remoteFaults } from "./remote-faults.ts";
import { type RemoteSnapshotTaking, remoteSnapshotTaking } from "./remote-snapshots.ts";
import { type RemoteTables, remoteTables } from "./remote-tables.ts";

type Entries = ReturnType<RequestJournal["list"]>;
type Filter = NonNullable<Parameters<RequestJournal["list"]>[0]>;
type ScriptInput = Parameters<EmulatorSession["chats"]["add"]>[0];

/** The journal of a server's session. */
export interface RemoteJournal {
  /** What was asked and answered, oldest first. Keys are not in it. */
  readonly list: (filter?: Filter) => Promise<Entries>;
  readonly clear: () => Promise<void>;
}

/** The chat scripts of a server's session. */
export interface RemoteChats {
  /** Adds a script before all others. Rejects with `ERR_SCRIPT_REFUSED`. */
  readonly add: (script: ScriptInput) => Promise<void>;
  /** Takes a script out. Rejects with `ERR_SCRIPT_REFUSED` when there is none of that name. */
  readonly remove: (name: string) => Promise<void>;
  /** The scripts in the order in which they are tried, as fixtures have them. */
  readonly list: () => Promise<readonly ScriptInput[]>;
}

/** One world of a server that runs elsewhere: what `EmulatorSession` is in this process, but that all takes its time. */
export interface RemoteWorld<Fixtures = unknown> extends RemoteSnapshotTaking {
  /** What a client's base URL begins with: this and `/v1`, or this and `/rest`. */
  readonly url: string;
  /** The global `fetch`, for requests of this session: of an address, only the path and the query count. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  readonly tables: RemoteTables<Fixtures>;
  readonly chats: RemoteChats;
  readonly faults: RemoteFaults;
  readonly journal: RemoteJournal;
  /** Goes back to the fixtures, with an empty journal. */
  readonly reset: () => Promise<void>;
}

/** Where a world is. */
export interface WorldAddress {
  /** The server's, without a trailing slash. */
  readonly server: string;
  /** Undefined: the base session. */
  readonly id: string | undefined;
  readonly controlToken: string | undefined;
}

/** Reaches one session of a server, or its base session. */
export function remoteWorld<Fixtures>(address: WorldAddress): RemoteWorld<Fixtures> {
  const { server, id, controlToken } = address;
  const prefix = id === undefined ? "" : `/@${nameInPath(id)}`;
  const access: ControlAccess = { url: server + prefix, controlToken };
  const ask = controlClient(access);
  return {
    url: access.url,
    fetch: (input, init) => {
      const given = new URL(input instanceof Request ? input.url : input, server);
      const path = given.pathname.startsWith("/@") ? given.pathname : prefix + given.pathname;
      const target = server + path + given.search;
      return fetch(input instanceof Request ? new Request(target, input) : target, init);
    },
    tables: remoteTables(ask),
    chats: remoteChats(ask),
    faults: remoteFaults(ask),
    journal: remoteJournal(ask),
    ...remoteSnapshotTaking(ask),
    reset: async () => {
      await ask({ method: "POST", path: "/reset", what: "reset the session" });
    },
  };
}

// What is cast here is what the control API answers, which is our own.

function remoteJournal(ask: AskControl): RemoteJournal {
  return {
    list: async (filter = {}) => {
      const path = `/requests${queryOf(filter)}`;
      const answer = await ask({ method: "GET", path, what: "read the journal" });
      return (answer as { readonly requests: Entries }).requests;
    },
    clear: async () => {
      await ask({ method: "DELETE", path: "/requests", what: "empty the journal" });
    },
  };
}

function remoteChats(ask: AskControl): RemoteChats {
  return {
    add: async (body) => {
      const mistake = "ERR_SCRIPT_REFUSED";
      await ask({ method: "POST", path: "/chats", body, mistake, what: "add the script" });
    },
    remove: async (name) => {
      const path = `/chats/${nameInPath(name)}`;
      await ask({ method: "DELETE", path, what: "remove the script" });
    },
    list: async () => {
      const answer = await ask({ method: "GET", path: "/chats", what: "list the scripts" });
      return (answer as { readonly chats: readonly ScriptInput[] }).chats;
    },
  };
}

function queryOf(filter: Filter): string {
  const { method, since, ...others } = filter;
  const query = new URLSearchParams();
  // In this process it is in any case; the control API takes it as it is.
  if (method !== undefined) query.set("method", method.toUpperCase());
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) query.set(name, String(value));
  }
  if (since !== undefined) query.set("since", timeText(since));
  return query.size === 0 ? "" : `?${query}`;
}

function timeText(since: unknown): string {
  if (typeof since === "number" && Number.isFinite(new Date(since).getTime())) {
    return new Date(since).toISOString();
  }
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot read the journal: "since" is ${typeof since === "string" ? JSON.stringify(since) : String(since)}. Give Unix time in milliseconds.`,
  );
}
