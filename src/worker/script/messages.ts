import type { Problem } from "../../errors/emulator-error.ts";

/** What a page asks of the worker. The answer comes through the port that is sent with it. */
export type WorkerQuestion =
  | {
      readonly backlot: "start";
      /** Fixtures and settings, as the JSON text of a {@link Setup}. */
      readonly setup: string;
      /** Tells one setup from another. */
      readonly hash: string;
      /** The session that the page's requests are in; undefined: the base session. */
      readonly session: string | undefined;
      /** Whether the session goes with the page. */
      readonly isPassing: boolean;
    }
  | { readonly backlot: "stop" };

/** What an emulator is made of. */
export interface Setup {
  readonly fixtures?: unknown;
  readonly settings: object;
}

/** What the worker answers. */
export type WorkerAnswer =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** Undefined: a bug of the worker. */
      readonly code: string | undefined;
      readonly message: string;
      readonly problems: readonly Problem[];
    };
