import type { Problem } from "../errors/emulator-error.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { Timers } from "../http/scheduler.ts";
import type { InterfaceExtras } from "../settings/resolve-settings.ts";
import type { FixtureFolder } from "./sockets/fixture-folder.ts";
import type { ReadGuestTables } from "./sockets/guest-tables.ts";
import type { AnswerWithRecordings } from "./sockets/replay.ts";
import type { SharedTables } from "./sockets/shared-tables.ts";
import type { Metrics } from "./metrics.ts";
import type { Setup } from "./setup.ts";

/**
 * The optional parts of an emulator. The core knows none of them by name: each composition root registers what it
 * ships, and loads large parts on first use.
 */
export interface Extras extends InterfaceExtras {
  /** Makes tables of the option `tables`. */
  readonly guestTables?: () => Promise<ReadGuestTables>;
  /** Answers from recordings and a real service. Default: tables and scripts answer everything. */
  readonly replay?: () => Promise<AnswerWithRecordings>;
  /** The control API. Default: none. */
  readonly control?: () => Promise<AnswerControl>;
  /** The console. Default: none. */
  readonly console?: () => Promise<ConsolePage>;
}

/** What is replaced when fixtures are loaded again. */
export interface CurrentSetup {
  readonly setup: Setup;
  /** Why the fixtures as they are on the disk now cannot be used. Undefined: they are in use. */
  readonly fixtureProblem: Problem | undefined;
}

/** A call to the control API, and its emulator. */
export interface ControlCall {
  readonly call: Call;
  /** The path below `/__backlot`, still percent-encoded. */
  readonly path: string;
  /** The session's id. Undefined: the base session. */
  readonly sessionId: string | undefined;
  /** Why the session's id is invalid, and what to do. Undefined: it is valid. */
  readonly sessionProblem: string | undefined;
  /**
   * Whether code of the same process or page makes the call, as through msw. Then Host, Origin and token are not
   * checked, since there is nobody to keep out. Never true for calls over a network.
   */
  readonly inProcess: boolean | undefined;
  /**
   * The remote address of the connection: empty when it is no longer known, undefined when the call did not come over a
   * network.
   */
  readonly peerAddress: string | undefined;
  readonly setup: Setup;
  /** The timers for replies that take time. */
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Undefined: the tables are only in memory. */
  readonly shared: SharedTables | undefined;
  /** Undefined: no folder of fixtures is watched. */
  readonly folder: FixtureFolder | undefined;
  /** The emulator as it is now, for calls whose answers go on while fixtures are loaded again. */
  readonly current: () => CurrentSetup;
  /** Undefined: there is no console. */
  readonly console: (() => Promise<ConsolePage>) | undefined;
}

/** Answers calls to the control API. A rejection is a bug in the emulator. */
export type AnswerControl = (call: ControlCall) => Promise<Reply>;

/** The console, a web page for developers. */
export interface ConsolePage {
  /** The page, compressed by gzip. */
  readonly packedPage: Uint8Array;
  /** Unpacks the page. */
  readonly consolePage: () => Promise<string>;
  /** The page's Content-Security-Policy. */
  readonly consolePolicy: string;
}
