import type { Result } from "../../errors/result.ts";
import type { Call } from "../../http/call.ts";
import type { Completion } from "../completion/completion.ts";
import type { ChatContext } from "../context.ts";
import type { ChatError } from "../errors.ts";
import type { Draft, PlacedFault } from "../faults/apply-faults.ts";
import type { WireFaults } from "../faults/fault-effects.ts";
import type { AdmittedRequest } from "../request/admit-request.ts";

/**
 * An API in which models are asked and answer over HTTP, such as chat completions or Responses. Scripts, matching,
 * completions, pace and faults are the same for all.
 */
export interface Wire {
  /** Reads a call's request, or returns its first problem. */
  readonly admit: (call: Call, context: ChatContext) => Promise<Result<AdmittedRequest, ChatError>>;
  /** A completion as one body. */
  readonly answerWhole: (answer: WireAnswer, context: ChatContext) => WholeAnswer;
  /** A completion as events, before faults apply. */
  readonly draftStream: (answer: WireAnswer, context: ChatContext) => DraftedStream;
  readonly faults: WireFaults;
}

/** A completion and the request that it answers. */
export interface WireAnswer {
  readonly admitted: AdmittedRequest;
  readonly completion: Completion;
}

interface Answered {
  /** Keeps the answer for later requests. Called if it ends as it should. */
  readonly keep?: () => void;
}

/** A JSON body. */
export interface WholeAnswer extends Answered {
  readonly text: string;
}

/** The events of a stream, and the faults among them. */
export interface DraftedStream extends Answered {
  readonly frames: readonly Draft[];
  readonly faults: readonly PlacedFault[];
  /** The text in front of each frame with `isHeaded`. Default: none. */
  readonly head?: string;
}
