import { readOption } from "../../core/settings/settings.ts";
import type { SessionOptions } from "../../core/emulator/session-options.ts";
import { checkedSessionId } from "../../core/emulator/routes.ts";
import {
  type EmulatorError,
  invalidOption,
  refuseUnknown,
} from "../../core/errors/emulator-error.ts";
import { type AskControl, controlClient, nameInPath } from "./control-client.ts";
import {
  type RemoteSnapshots,
  type RemoteWorld,
  remoteSnapshots,
  remoteWorld,
} from "./remote-session.ts";

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

/**
 * Reaches a running Backlot, whoever started it, over HTTP: `connect<typeof fixtures>(url)` has the rows' types. Throws
 * `ERR_OPTION_INVALID` for what is no server's URL and for unknown options; it asks nothing before it is asked.
 *
 * @example
 * const { tables, journal } = connect(url).session("test-7");
 * console.log(await tables.users.rows(), await journal.list());
 */
export function connect<Fixtures = unknown>(
  url: string | URL,
  options: ConnectOptions = {},
): RemoteEmulator<Fixtures> {
  const server = checkedServer(url);
  const controlToken = checkedToken(options);
  const ask = controlClient({ url: server, controlToken });
  return {
    ...remoteWorld<Fixtures>({ server, id: undefined, controlToken }),
    // JavaScript callers may pass what a session in the same process takes.
    session: (given, begin?: unknown) => {
      const id = checkedSessionId(given);
      if (typeof begin === "object") throw beginsByItself(id);
      return { ...remoteWorld<Fixtures>({ server, id, controlToken }), id, ...lifeOf(id, ask) };
    },
    snapshots: remoteSnapshots(ask),
  };
}

/** Starts and ends a session. */
function lifeOf(id: string, ask: AskControl): Pick<RemoteSession, "begin" | "forget"> {
  const path = `/sessions/${nameInPath(id)}`;
  return {
    begin: async ({ clock, ...others } = {}) => {
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

/** JavaScript callers may pass anything. */
function checkedToken(options: ConnectOptions): string | undefined {
  refuseUnknown(options, ["controlToken"], { cannot: "Cannot connect", noun: "option" });
  return readOption("controlToken", options);
}

function checkedServer(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  const isServer =
    url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isServer) return url.origin;
  throw invalidOption(
    `Cannot connect to ${given === undefined ? "undefined" : JSON.stringify(String(given))}: ` +
      "it is not the bare URL of a server. Give the one that the server prints, such as http://127.0.0.1:8080.",
  );
}
