import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { Timers } from "../http/scheduler.ts";
import type { OtherProfiles } from "../rest/profiles.ts";
import type { ServedCollections, SharedTables } from "./backends.ts";
import type { Setup } from "./setup.ts";

/**
 * What an emulator can do without. The core knows none of it by name: each composition root registers what it ships,
 * and whatever weighs something is loaded when it is first needed.
 */
export interface Extras extends OtherProfiles {
  /** Makes tables of the option `tables`. */
  readonly collections?: () => Promise<ReadCollections>;
  /** The control API. Default: there is none. */
  readonly control?: () => Promise<AnswerControl>;
  /** The console. Default: there is none. */
  readonly console?: () => Promise<ConsolePage>;
}

/** Reads the option `tables`. Rejects with `ERR_OPTION_INVALID` when it names no collections. */
export type ReadCollections = (option: unknown) => Promise<ServedCollections>;

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
