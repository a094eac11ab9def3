import type { ChatRequest } from "./chat-request.ts";
import { type CompletionChoice, textOf, toolCallsOf, type Usage } from "./completion.ts";
import type { ScriptReply } from "./script.ts";
import { countTokens } from "./tokens.ts";

/** The usage of an answer: what the script says, and estimates for what it leaves out. */
export function usageOf(
  request: ChatRequest,
  choices: readonly CompletionChoice[],
  scripted: ScriptReply["usage"] = {},
): Usage {
  const prompt =
    scripted.prompt_tokens ?? sum(request.messages.map(({ text }) => countTokens(text)));
  const completion = scripted.completion_tokens ?? completionTokens(choices);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: scripted.total_tokens ?? prompt + completion,
  };
}

/** The tokens of all choices. One that is repeated is counted each time, but looked at once. */
function completionTokens(choices: readonly CompletionChoice[]): number {
  const counts = new Map([...new Set(choices)].map((choice) => [choice, choiceTokens(choice)]));
  return sum(choices.map((choice) => counts.get(choice) ?? 0));
}

function choiceTokens(choice: CompletionChoice): number {
  const texts = (["content", "reasoning", "refusal"] as const).map((kind) => textOf(choice, kind));
  const calls = toolCallsOf(choice).flatMap((call) => [call.name, call.arguments]);
  return sum([...texts, ...calls].map((text) => countTokens(text ?? "")));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
