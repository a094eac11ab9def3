import type { EmulatorSession, RequestJournal } from "../../core/emulator/emulator.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import {
  type AskControl,
  type ControlAccess,
  controlClient,
  nameInPath,
} from "./control-client.ts";
import { type RemoteTables, remoteTables } from "./remote-tables.ts";
import type { PlannedFaults } from "../../core/emulator/faults/planned-faults.ts";

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

type Rule = Parameters<PlannedFaults["add"]>[0];
type Planned = ReturnType<PlannedFaults["add"]>;

/** What goes wrong with the requests to come in a server's session. */
export interface RemoteFaults {
  /** Plans a fault behind those that are there, and gives it with its id. Rejects with `ERR_FAULT_REFUSED`. */
  readonly add: (rule: Rule) => Promise<Planned>;
  /** In the order in which they are tried, without those that acted as often as they should. */
  readonly list: () => Promise<readonly Planned[]>;
  /** Takes a fault out. Rejects with `ERR_FAULT_REFUSED` when there is none of that id. */
  readonly remove: (id: string) => Promise<void>;
  /** Takes all out. */
  readonly clear: () => Promise<void>;
}

/** Reaches the planned faults of one session. What is cast is what the control API answers, which is our own. */
export function remoteFaults(ask: AskControl): RemoteFaults {
  return {
    add: async (body) => {
      const mistake = "ERR_FAULT_REFUSED";
      const what = "plan the fault";
      return (await ask({ method: "POST", path: "/faults", body, mistake, what })) as Planned;
    },
    list: async () => {
      const answer = await ask({ method: "GET", path: "/faults", what: "list the faults" });
      return (answer as { readonly faults: readonly Planned[] }).faults;
    },
    remove: async (id) => {
      const path = `/faults/${nameInPath(id)}`;
      await ask({ method: "DELETE", path, what: "remove the fault" });
    },
    clear: async () => {
      await ask({ method: "DELETE", path: "/faults", what: "take the faults out" });
    },
  };
}

/** The snapshots of a server, which all its sessions share. */
export interface RemoteSnapshots {
  /** Their names, in the order in which they were taken. */
  readonly list: () => Promise<readonly string[]>;
  /** Forgets a snapshot; false when there was none of that name. */
  readonly delete: (name: string) => Promise<boolean>;
}

/** What takes a server's session to a snapshot, and back to one. */
export interface RemoteSnapshotTaking {
  /** Keeps everything that requests can change, as it is now, under a name, in place of one of that name. */
  readonly snapshot: (name: string) => Promise<void>;
  /** Goes back to the snapshot of a name, of any session. Rejects with `ERR_OPTION_INVALID`. */
  readonly restore: (name: string) => Promise<void>;
}

/** Reaches the snapshots of a server. */
export function remoteSnapshots(ask: AskControl): RemoteSnapshots {
  return {
    list: async () => {
      const answer = await ask({ method: "GET", path: "/snapshots", what: "list the snapshots" });
      // What the control API answers; it is our own.
      const { snapshots } = answer as { readonly snapshots: readonly { readonly name: string }[] };
      return snapshots.map(({ name }) => name);
    },
    delete: async (name) => {
      const path = pathOf(name);
      const what = "forget the snapshot";
      return (await ask({ method: "DELETE", path, what, unless: "unknown_snapshot" })) !== null;
    },
  };
}

/** Takes snapshots of one session. */
export function remoteSnapshotTaking(ask: AskControl): RemoteSnapshotTaking {
  return {
    snapshot: async (name) => {
      await ask({ method: "PUT", path: pathOf(name), what: "take the snapshot" });
    },
    restore: async (name) => {
      await ask({ method: "POST", path: `${pathOf(name)}/restore`, what: "restore the snapshot" });
    },
  };
}

function pathOf(name: string): string {
  return `/snapshots/${nameInPath(name)}`;
}
