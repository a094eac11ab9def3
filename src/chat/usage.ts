import type { ChatRequest } from "./chat-request.ts";
import { callsIn, type CompletionChoice, type Step, textIn, type Usage } from "./completion.ts";
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

/** The tokens of all choices. What several of them say is counted each time, but looked at once. */
function completionTokens(choices: readonly CompletionChoice[]): number {
  const said = new Set(choices.map(({ steps }) => steps));
  const counts = new Map([...said].map((steps) => [steps, tokensIn(steps)]));
  return sum(choices.map(({ steps }) => counts.get(steps) ?? 0));
}

function tokensIn(steps: readonly Step[]): number {
  const texts = (["content", "reasoning", "refusal"] as const).map((kind) => textIn(steps, kind));
  const calls = callsIn(steps).flatMap((call) => [call.name, call.arguments]);
  return sum([...texts, ...calls].map((text) => countTokens(text ?? "")));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
