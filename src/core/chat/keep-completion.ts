import type { JsonObject } from "../schema/json.ts";
import type { ChatContext } from "./context.ts";
import type { WireAnswer } from "./wire/wire.ts";

/** The request's arguments that a stored completion shows beside the answer, with their defaults. */
const shownArguments: JsonObject = {
  metadata: {},
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  seed: null,
  tools: null,
  tool_choice: null,
  response_format: null,
};

/** Stores a completion if the request says `store: true`. `body` makes its JSON. */
export function keepCompletion(
  body: () => string,
  { admitted: { request }, completion }: WireAnswer,
  { answers, profile }: Pick<ChatContext, "answers" | "profile">,
): void {
  if (request.body["store"] !== true || !profile.isWhole) return;
  const sent = Object.entries(shownArguments).map(([name, usual]) => [
    name,
    request.body[name] ?? usual,
  ]);
  answers.keep(completion.id, {
    kind: "completion",
    body: { ...JSON.parse(body()), ...Object.fromEntries(sent), input_user: null },
    input: request.messages.map((message) => message.sent),
  });
}
