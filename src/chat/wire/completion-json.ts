import {
  callsIn,
  type Completion,
  type CompletionChoice,
  textIn,
} from "../completion/completion.ts";
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
      logprobs: choice.logprobs,
      finish_reason: choice.finishReason,
    })),
    usage,
    system_fingerprint: null,
  };
}

/** When a reply that is not streamed is complete: when its stream would be. In milliseconds at speed 1. */
export function completionTime({ choices, pace }: Completion, random: () => number): number {
  let latest = 0;
  for (const steps of new Set(choices.map((choice) => choice.steps))) {
    if (takesTime(steps, pace)) latest = Math.max(latest, layOut(steps, pace, { random }).end);
  }
  return latest;
}

function messageOf({ steps, callIds }: CompletionChoice): object {
  const reasoning = textIn(steps, "reasoning");
  const calls = callsIn(steps).map(({ index, name, arguments: text }) => ({
    id: callIds[index],
    type: "function",
    function: { name, arguments: text },
  }));
  return {
    role: "assistant",
    content: textIn(steps, "content"),
    refusal: textIn(steps, "refusal"),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
