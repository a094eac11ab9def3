import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";

/** What all workers answer. */
export interface Answers {
  /** That of this worker. */
  readonly own: Exchange;
  /** Those of all, by worker. */
  readonly all: readonly Exchange[];
}

/** A call as each worker is asked. */
export type CallOf = (worker: number) => Call;
