import type { ChatScripts } from "../../core/emulator/chats.ts";
import type {
  EmulatorSession,
  KeptSnapshots,
  RequestJournal,
} from "../../core/emulator/emulator.ts";
import type { PlannedFault } from "../../core/fixture-set/format/fault-format.ts";
import type { PlannedFaults } from "../../core/emulator/faults/planned-faults.ts";
import type { JournalFilter } from "../../core/emulator/journal/filter.ts";
import type { JournalEntry } from "../../core/emulator/journal/entry.ts";
import type { TableHandle } from "../../core/emulator/tables.ts";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import {
  type AskControl,
  type ControlAccess,
  controlClient,
  nameInPath,
} from "./control-client.ts";

/** The asynchronous form of an interface: each function returns a promise, and rejects where it would throw. */
type InTime<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

type ScriptInput = Parameters<ChatScripts["add"]>[0];

/** The journal of a server's session. */
export type RemoteJournal = InTime<RequestJournal>;

/** The chat scripts of a server's session. */
export interface RemoteChats extends Omit<InTime<ChatScripts>, "list"> {
  /** The scripts in matching order, as fixtures have them. */
  readonly list: () => Promise<readonly ScriptInput[]>;
}

/** The planned faults of a server's session. */
export type RemoteFaults = InTime<PlannedFaults>;

/** The snapshots of a server, which all its sessions share. */
export type RemoteSnapshots = InTime<KeptSnapshots>;

/** A value as JSON has it: integers beyond a number are texts of their digits. */
type AsJson<Value> = Value extends bigint ? string : Value extends Uint8Array ? never : Value;

/** The rows of one table of a server. */
export interface RemoteTable<R extends object> {
  readonly name: string;
  /** All rows in row id order. Rejects with `ERR_TABLE_UNKNOWN`. */
  readonly rows: () => Promise<readonly R[]>;
  /** Replaces all rows; keys and defaults are generated. Rejects with `ERR_ROW_REFUSED`. */
  readonly replaceRows: (rows: readonly Partial<R>[]) => Promise<void>;
}

/** The tables of a fixture document, with the rows' types if known. */
export type RemoteTables<Fixtures> = {
  readonly [
    Name in keyof EmulatorSession<Fixtures>["tables"]
  ]: EmulatorSession<Fixtures>["tables"][Name] extends TableHandle<infer R>
    ? RemoteTable<{ readonly [Column in keyof R]: AsJson<R[Column]> }>
    : never;
};

/** An isolated state of a server in another process: `EmulatorSession` with asynchronous functions. */
export interface RemoteWorld<Fixtures = unknown> {
  /** The start of a client's base URL: add `/v1`, or `/rest`. */
  readonly url: string;
  /** The global `fetch`, for requests of this session: only an address's path and query count. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  readonly tables: RemoteTables<Fixtures>;
  readonly chats: RemoteChats;
  readonly faults: RemoteFaults;
  readonly journal: RemoteJournal;
  /** Keeps everything that requests can change under a name, and replaces a snapshot of that name. */
  readonly snapshot: (name: string) => Promise<void>;
  /** Restores the snapshot of a name, from any session. Rejects with `ERR_OPTION_INVALID`. */
  readonly restore: (name: string) => Promise<void>;
  /** Resets to the fixtures, with an empty journal. */
  readonly reset: () => Promise<void>;
}

/** Where a session is. */
export interface WorldAddress {
  /** The server's URL, without a trailing slash. */
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
    journal: {
      list: async (filter = {}) => {
        const path = `/requests${queryOf(filter)}`;
        const answer = await ask<{ requests: JournalEntry[] }>("read the journal", { path });
        return answer.requests;
      },
      clear: () => ask("empty the journal", { method: "DELETE", path: "/requests" }),
    },
    snapshot: async (name) => ask("take the snapshot", { method: "PUT", path: snapshotPath(name) }),
    restore: async (name) => {
      const path = `${snapshotPath(name)}/restore`;
      await ask("restore the snapshot", { method: "POST", path });
    },
    reset: () => ask("reset the session", { method: "POST", path: "/reset" }),
  };
}

function remoteChats(ask: AskControl): RemoteChats {
  const path = "/chats";
  return {
    add: (body) =>
      ask("add the script", { method: "POST", path, body, mistake: "ERR_SCRIPT_REFUSED" }),
    remove: async (name) =>
      ask("remove the script", { method: "DELETE", path: `${path}/${nameInPath(name)}` }),
    list: async () => (await ask<{ chats: ScriptInput[] }>("list the scripts", { path })).chats,
  };
}

function remoteFaults(ask: AskControl): RemoteFaults {
  const path = "/faults";
  return {
    add: (body) =>
      ask("plan the fault", { method: "POST", path, body, mistake: "ERR_FAULT_REFUSED" }),
    list: async () => (await ask<{ faults: PlannedFault[] }>("list the faults", { path })).faults,
    remove: async (id) =>
      ask("remove the fault", { method: "DELETE", path: `${path}/${nameInPath(id)}` }),
    clear: () => ask("take the faults out", { method: "DELETE", path }),
  };
}

function queryOf({ method, since, ...others }: JournalFilter): string {
  const given = {
    ...others,
    // In this process it always is JSON; the control API takes it as sent.
    method: method?.toUpperCase(),
    since: since === undefined ? undefined : timeText(since),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}

function timeText(since: unknown): string {
  if (typeof since === "number" && Number.isFinite(new Date(since).getTime())) {
    return new Date(since).toISOString();
  }
  throw invalidOption(
    `Cannot read the journal: "since" is ${typeof since === "string" ? JSON.stringify(since) : String(since)}. Give Unix time in milliseconds.`,
  );
}

/** Names that languages and test runners look up on any object. */
const askedOfAnyObject = new Set(["then", "toJSON", "asymmetricMatch", "$$typeof", "nodeType"]);

/** Tables by any name: only the server knows which exist. */
function remoteTables<Fixtures>(ask: AskControl): RemoteTables<Fixtures> {
  const tables: unknown = new Proxy(Object.create(null), {
    get: (_, name) =>
      typeof name === "string" && !askedOfAnyObject.has(name) ? remoteTable(ask, name) : undefined,
  });
  // The one place where a document's static type meets a server's tables.
  return tables as RemoteTables<Fixtures>;
}

function remoteTable(ask: AskControl, name: string): RemoteTable<object> {
  const shown = JSON.stringify(name);
  const path = (): string => `/tables/${nameInPath(name)}`;
  return {
    name,
    rows: async () => ask(`read the table ${shown}`, { path: path() }),
    replaceRows: async (body) =>
      ask(`replace the rows of ${shown}`, {
        method: "PUT",
        path: path(),
        body,
        mistake: "ERR_ROW_REFUSED",
      }),
  };
}

/** Reaches the snapshots of a server. */
export function remoteSnapshots(ask: AskControl): RemoteSnapshots {
  return {
    list: async () => {
      const path = "/snapshots";
      const answer = await ask<{ snapshots: { name: string }[] }>("list the snapshots", { path });
      return answer.snapshots.map(({ name }) => name);
    },
    delete: async (name) => {
      const path = snapshotPath(name);
      const unless = "unknown_snapshot";
      return (
        (await ask<unknown>("forget the snapshot", { method: "DELETE", path, unless })) !== null
      );
    },
  };
}

function snapshotPath(name: string): string {
  return `/snapshots/${nameInPath(name)}`;
}
