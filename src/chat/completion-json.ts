import {
  type Completion,
  type CompletionChoice,
  type CompletionToolCall,
  textOf,
  toolCallsOf,
} from "./completion.ts";
import { layOut, takesTime } from "./timeline.ts";

/** The body of a reply that is not streamed. */
export function completionJson(completion: Completion): object {
  const { id, created, model, choices, usage } = completion;
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: choices.map((choice, index) => ({
      index,
      message: messageOf(choice),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    usage,
    system_fingerprint: null,
  };
}

/** When a reply that is not streamed is complete: when its stream would be. In milliseconds at speed 1. */
export function completionTime({ choices, pace }: Completion, random: () => number): number {
  const ends = [...new Set(choices)].map((choice) =>
    takesTime(choice, pace) ? layOut(choice, pace, { random }).end : 0,
  );
  return Math.max(...ends);
}

function messageOf(choice: CompletionChoice): object {
  const reasoning = textOf(choice, "reasoning");
  const calls = toolCallsOf(choice);
  return {
    role: "assistant",
    content: textOf(choice, "content"),
    refusal: textOf(choice, "refusal"),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(wireCall) }),
  };
}

function wireCall({ id, name, arguments: text }: CompletionToolCall): object {
  return { id, type: "function", function: { name, arguments: text } };
}
