import { isRequest, ownRequest } from "../../core/emulator/own-request.ts";
import type { ChatScripts } from "../../core/emulator/chats.ts";
import type { KeptSnapshots, RequestJournal } from "../../core/emulator/emulator.ts";
import type { PlannedFault } from "../../core/fixture-set/format/fault-format.ts";
import type { PlannedFaults } from "../../core/emulator/faults/planned-faults.ts";
import { type JournalFilter, refuseWrongFilters } from "../../core/emulator/journal/filter.ts";
import type { JournalEntry } from "../../core/emulator/journal/entry.ts";
import type { TableHandle } from "../../core/emulator/tables.ts";
import type { FixtureTables } from "../../core/emulator/typed-tables.ts";
import {
  invalidOption,
  type EmulatorError,
  refuseUnknown,
} from "../../core/errors/emulator-error.ts";
import {
  type AskControl,
  type ControlAccess,
  controlClient,
  nameInPath,
  type Send,
} from "./control-client.ts";
import { readOption } from "../../core/settings/settings.ts";
import { refuseWrongStart, type SessionOptions } from "../../core/emulator/session-options.ts";
import { checkedSessionId } from "../../core/emulator/routes.ts";

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
    Name in keyof FixtureTables<Fixtures>
  ]: FixtureTables<Fixtures>[Name] extends TableHandle<infer R>
    ? RemoteTable<{ readonly [Column in keyof R]: AsJson<R[Column]> }>
    : never;
};

/** An isolated state of a server in another process: `EmulatorSession` with asynchronous functions. */
export interface RemoteWorld<Fixtures = unknown> {
  /** The beginning of a client's base URL: append `/v1` or `/rest`. */
  readonly url: string;
  /**
   * The global `fetch`, for requests of this session: only an address's path and query count. A server on this machine
   * is asked without a proxy.
   */
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
  readonly send: Send;
}

/** Reaches one session of a server, or its base session. */
function remoteWorld<Fixtures>(address: WorldAddress): RemoteWorld<Fixtures> {
  const { server, id, controlToken, send } = address;
  const prefix = id === undefined ? "" : `/@${nameInPath(id)}`;
  const access: ControlAccess = { url: server + prefix, controlToken, send };
  const ask = controlClient(access);
  const addressHere = (given: URL | string): string => {
    const { pathname, search } = new URL(given, server);
    return server + (pathname.startsWith("/@") ? pathname : prefix + pathname) + search;
  };
  return {
    url: access.url,
    fetch: (input, init) => {
      if (!isRequest(input)) return send(addressHere(input), init);
      const request = ownRequest(input, server);
      return send(new Request(addressHere(request.url), request), init);
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
    clear: () => ask("remove the faults", { method: "DELETE", path }),
  };
}

function queryOf(filter: JournalFilter): string {
  refuseWrongFilters(filter);
  const { method, since, ...others } = filter;
  const given = {
    ...others,
    // The control API takes a method as sent, unlike the filters of the journal in the same process.
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
const namesLookedUpOnAnyObject = new Set([
  "then",
  "toJSON",
  "asymmetricMatch",
  "$$typeof",
  "nodeType",
]);

/** Tables by any name: only the server knows which exist. */
function remoteTables<Fixtures>(ask: AskControl): RemoteTables<Fixtures> {
  const tables: unknown = new Proxy(Object.create(null), {
    get: (_, name) =>
      typeof name === "string" && !namesLookedUpOnAnyObject.has(name)
        ? remoteTable(ask, name)
        : undefined,
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
function remoteSnapshots(ask: AskControl): RemoteSnapshots {
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

/** How a server is reached. */
export interface ConnectOptions {
  /** The server's control token, if it has one. */
  readonly controlToken?: string;
}

/** How a session of a server starts. Defaults come from its base session. */
export interface RemoteSessionOptions extends Omit<SessionOptions, "from"> {
  /** The name of a snapshot. */
  readonly from?: string;
}

/** A session of a server in another process. */
export interface RemoteSession<Fixtures = unknown> extends RemoteWorld<Fixtures> {
  readonly id: string;
  /**
   * Starts the session over. Without this, it starts as a copy of the base session on first use. Rejects with
   * `ERR_OPTION_INVALID`.
   */
  readonly begin: (options?: RemoteSessionOptions) => Promise<void>;
  /** Drops the session; the next request that names it starts a new one. */
  readonly forget: () => Promise<void>;
}

/** A server in another process: its base session, and access to the others. */
export interface RemoteEmulator<Fixtures = unknown> extends RemoteWorld<Fixtures> {
  /** An isolated session. It starts on first use, or with its `begin`. */
  readonly session: (id: string) => RemoteSession<Fixtures>;
  /** The named snapshots. */
  readonly snapshots: RemoteSnapshots;
}

/** Reaches a running Backlot through `send`. Has the rules and errors of `connect` from `backlot/node`. */
export function connectThrough<Fixtures>(
  send: Send,
  url: string | URL | undefined,
  options: ConnectOptions = {},
): RemoteEmulator<Fixtures> {
  const server = checkedServer(url);
  refuseUnknown(options, ["controlToken"], { cannot: "Cannot connect", noun: "option" });
  const controlToken = readOption("controlToken", options);
  const ask = controlClient({ url: server, controlToken, send });
  const world = (id: string | undefined): RemoteWorld<Fixtures> =>
    remoteWorld({ server, id, controlToken, send });
  return {
    ...world(undefined),
    // JavaScript callers may pass the options that a session in the same process takes.
    session: (given, begin?: unknown) => {
      const id = checkedSessionId(given);
      if (typeof begin === "object") throw beginsByItself(id);
      return { ...world(id), id, ...lifeOf(id, ask) };
    },
    snapshots: remoteSnapshots(ask),
  };
}

/** Starts and ends a session. */
function lifeOf(id: string, ask: AskControl): Pick<RemoteSession, "begin" | "forget"> {
  const path = `/sessions/${nameInPath(id)}`;
  return {
    begin: async (options = {}) => {
      refuseWrongStart(options);
      const { clock, ...others } = options;
      const time = clock === undefined ? undefined : readOption("clock", { clock });
      const body = time === undefined ? others : { ...others, clock: new Date(time).toISOString() };
      await ask("begin the session", { method: "PUT", path, body });
    },
    forget: async () => {
      // A session that was never used does not exist yet.
      await ask("forget the session", { method: "DELETE", path, unless: "unknown_session" });
    },
  };
}

function beginsByItself(id: string): EmulatorError {
  return invalidOption(
    `Cannot begin the session ${JSON.stringify(id)} with options: on a server that is asynchronous. ` +
      "Pass the options to begin: await session.begin(options).",
  );
}

function checkedServer(given: string | URL | undefined): string {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  const isServer =
    url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isServer) return url.origin;
  throw invalidOption(
    `Cannot connect to ${given === undefined ? "undefined" : JSON.stringify(String(given))}: ` +
      "it is not the bare URL of a server. Give the one that the server prints, such as http://127.0.0.1:8080.",
  );
}
