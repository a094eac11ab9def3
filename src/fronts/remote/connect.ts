import { readOption } from "../../core/fixture-set/settings.ts";
import type { SessionOptions } from "../../core/emulator/session-options.ts";
import { checkedSessionId } from "../../core/emulator/routes.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { didYouMean } from "../../core/errors/nearest-name.ts";
import { type AskControl, controlClient, nameInPath } from "./control-client.ts";
import {
  type RemoteSnapshots,
  type RemoteWorld,
  remoteSnapshots,
  remoteWorld,
} from "./remote-session.ts";

/** How a server is reached. */
export interface ConnectOptions {
  /** What it was started with, if it was. */
  readonly controlToken?: string;
}

/** How a session of a server begins. What is left out is as in its base session. */
export interface RemoteSessionOptions extends Omit<SessionOptions, "from"> {
  /** The name of a snapshot. */
  readonly from?: string;
}

/** A session of a server that runs elsewhere. */
export interface RemoteSession<Fixtures = unknown> extends RemoteWorld<Fixtures> {
  readonly id: string;
  /**
   * Begins it anew, whatever was done in it. Without, it begins as the base session is when it is first used. Rejects
   * with `ERR_OPTION_INVALID`.
   */
  readonly begin: (options?: RemoteSessionOptions) => Promise<void>;
  /** Has the server forget the session; the next request that names it begins a new one. */
  readonly forget: () => Promise<void>;
}

/** A server that runs in another process: its base session, and what reaches the others. */
export interface RemoteEmulator<Fixtures = unknown> extends RemoteWorld<Fixtures> {
  /** A session of its own: it begins when it is first used, or by its `begin`. */
  readonly session: (id: string) => RemoteSession<Fixtures>;
  /** The snapshots that have a name. */
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
    // In JavaScript one may write what a session in the same process takes.
    session: (given, begin?: unknown) => {
      const id = checkedSessionId(given);
      if (typeof begin === "object") throw beginsByItself(id);
      return { ...remoteWorld<Fixtures>({ server, id, controlToken }), id, ...lifeOf(id, ask) };
    },
    snapshots: remoteSnapshots(ask),
  };
}

/** What begins and ends a session. */
function lifeOf(id: string, ask: AskControl): Pick<RemoteSession, "begin" | "forget"> {
  const path = `/sessions/${nameInPath(id)}`;
  return {
    begin: async ({ clock, ...others } = {}) => {
      const time = clock === undefined ? undefined : readOption("clock", { clock });
      const body = time === undefined ? others : { ...others, clock: new Date(time).toISOString() };
      await ask("begin the session", { method: "PUT", path, body });
    },
    forget: async () => {
      // One that was never used is none yet.
      await ask("forget the session", { method: "DELETE", path, unless: "unknown_session" });
    },
  };
}

function beginsByItself(id: string): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot begin the session ${JSON.stringify(id)} at once: that of a server takes its time. ` +
      "Give the options to its begin: await session.begin(options).",
  );
}

const optionNames = ["controlToken"];

/** In JavaScript one may write anything. */
function checkedToken(options: ConnectOptions): string | undefined {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown === undefined) return readOption("controlToken", options);
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot use the option ${JSON.stringify(unknown)}: connect has no such option.` +
      `${didYouMean(unknown, optionNames)} It takes ${optionNames.join(", ")}.`,
  );
}

function checkedServer(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  const isServer =
    url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isServer) return url.origin;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot connect to ${given === undefined ? "undefined" : JSON.stringify(String(given))}: ` +
      "it is not the URL of a server alone. Give the one that the server prints, such as http://127.0.0.1:8080.",
  );
}
