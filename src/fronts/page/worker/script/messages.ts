import { version } from "../../../../core/emulator/version.ts";
import type { Problem } from "../../../../core/errors/emulator-error.ts";

/** Has the worker answer a page. */
export interface StartQuestion {
  readonly backlot: "start";
  /** Fixtures and settings, as the JSON text of a {@link Setup}. */
  readonly setup: string;
  /** Tells one setup from another. */
  readonly hash: string;
  /** The session that the page's requests are in; undefined: the base session. */
  readonly session: string | undefined;
  /** Whether the session goes with the page. */
  readonly isPassing: boolean;
  /** When the page's own code asked for it, in milliseconds of Unix time. */
  readonly since: number;
  /** Whether it was asked before, and the worker has lost it. */
  readonly isAgain: boolean;
}

/** What a page asks of the worker. The answer comes through the port that is sent with it. */
export type WorkerQuestion =
  | StartQuestion
  | { readonly backlot: "stop" }
  /** Another worker waits for this one's answers to end. */
  | { readonly backlot: "yield" }
  /** To the one that waits: it shall try again. */
  | { readonly backlot: "replace" };

/** What the worker tells its pages when it has nothing to answer with: who has started it does so again. */
export interface LostNotice {
  readonly backlot: "lost";
}

/** What an emulator is made of. */
export interface EmulatorSetup {
  readonly fixtures?: unknown;
  readonly settings: object;
}

/** What the worker answers. */
export type WorkerAnswer =
  | {
      readonly ok: true;
      /** What does not go as it should, and is no reason not to start. */
      readonly warnings: readonly string[];
    }
  | {
      readonly ok: false;
      /** Undefined: a bug of the worker. */
      readonly code: string | undefined;
      readonly message: string;
      readonly problems: readonly Problem[];
    };

/** Tells one setup, as text, from another. Another version may make another emulator of the same. */
export async function setupHash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${version} ${text}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
