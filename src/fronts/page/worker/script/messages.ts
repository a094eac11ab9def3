import type { Problem } from "../../../../core/errors/emulator-error.ts";

/** Makes the worker answer a page. */
export interface StartMessage {
  readonly backlot: "start";
  /** Fixtures and settings, as the JSON text of a {@link Setup}. */
  readonly setup: string;
  /** The session of the page's requests; undefined: the base session. */
  readonly session: string | undefined;
  /** Whether the session ends with the page. */
  readonly isPassing: boolean;
  /** When the page's own code asked for the start, in Unix time in milliseconds. */
  readonly since: number;
  /** Whether the worker had this setup before and lost it. */
  readonly isAgain: boolean;
}

/** A task from a page. The answer comes through the port that is sent with it. */
export type WorkerMessage =
  | StartMessage
  | { readonly backlot: "stop" }
  /** Asks the active worker to end its answers, since another worker waits. */
  | { readonly backlot: "yield" }
  /** Asks the waiting worker to try again. */
  | { readonly backlot: "replace" };

/** Sent by a worker without a setup to its pages: the page that started it does so again. */
export interface LostNotice {
  readonly backlot: "lost";
}

/** An emulator's setup. */
export interface EmulatorSetup {
  readonly fixtures?: unknown;
  readonly settings: object;
}

/** The worker's answer. */
export type WorkerAnswer =
  | {
      readonly ok: true;
      /** A problem that does not prevent the start. */
      readonly warnings: readonly string[];
    }
  | {
      readonly ok: false;
      /** Undefined: a bug in the worker. */
      readonly code: string | undefined;
      readonly message: string;
      readonly problems: readonly Problem[];
    };
