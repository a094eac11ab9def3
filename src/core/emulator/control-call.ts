import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { Timers } from "../http/scheduler.ts";
import type { Setup } from "./setup.ts";
import type { SharedTables } from "./shared/shared-tables.ts";

/** The control API is below this path, on the server of the interfaces and on no other path of it. */
export const controlPrefix = "/__backlot";

/** What a path has below `/__backlot`; undefined when it is not there. */
export function pathBelowControl(path: string): string | undefined {
  if (!path.startsWith(controlPrefix)) return undefined;
  const below = path.slice(controlPrefix.length);
  return below === "" || below.startsWith("/") ? below : undefined;
}

/** A call to the control API, and the emulator that it is about. */
export interface ControlCall {
  readonly call: Call;
  /** Below `/__backlot`, still percent-encoded. */
  readonly path: string;
  /** The id of the session that is asked. Undefined: the base session. */
  readonly sessionId: string | undefined;
  /** Why no session can have the id, and what to do. Undefined: one can. */
  readonly sessionProblem: string | undefined;
  /**
   * Whether code of the same process or page makes the call, as through msw: then there is nobody to keep out, and
   * neither Host nor Origin nor token is looked at. Never true for what came over a network.
   */
  readonly inProcess: boolean;
  /** The address that a connection comes from; empty: nobody can tell any more. Undefined: there is no network between. */
  readonly peerAddress: string | undefined;
  readonly setup: Setup;
  /** What time passes by for a reply that goes on. */
  readonly timers: Timers;
  /** Undefined: the tables are in memory alone. */
  readonly shared: SharedTables | undefined;
  /** Undefined: there is no console. */
  readonly console: (() => Promise<ConsolePage>) | undefined;
}

/** Answers calls to the control API. Rejects only for a bug of the emulator. */
export type AnswerControl = (call: ControlCall) => Promise<Reply>;

/** A web page for developers. */
export interface ConsolePage {
  readonly consolePage: string;
  /** Its Content-Security-Policy. */
  readonly consolePolicy: string;
}
