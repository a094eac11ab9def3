import { itemsOf } from "../../core/chat/forms/responses-request.ts";
import type { ChatContext } from "../../core/chat/context.ts";
import { type ChatError, errorReply } from "../../core/chat/errors.ts";
import type { StoredAnswer } from "../../core/chat/stored-answers.ts";
import type { WireAnswer } from "../../core/chat/wire/wire.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { jsonReply, type Reply } from "../../core/http/reply.ts";
import { isPresent, type JsonObject } from "../../core/schema/json.ts";
import { responsesErrors } from "./errors.ts";
import { hexId } from "./hex-id.ts";
import { itemType } from "./input-items.ts";

/** Keeps a response with its items, unless the request says `store: false`. */
export function keepResponse(
  response: JsonObject,
  { admitted }: WireAnswer,
  { answers, random }: Pick<ChatContext, "answers" | "random">,
): void {
  const { body } = admitted.request;
  if (body["store"] === false) return;
  const input = itemsOf(body["input"]).flatMap((item): readonly JsonObject[] => {
    if (itemType(item) !== "item_reference") return [shownItem(item, random)];
    const stored = answers.get("item", String(item["id"]));
    return stored === undefined ? [] : [stored.body];
  });
  const output = response["output"] as readonly JsonObject[];
  for (const item of [...input, ...output]) {
    answers.keep(String(item["id"]), { kind: "item", body: item, input: [] });
  }
  answers.keep(String(response["id"]), { kind: "response", body: response, input });
}

const itemPrefixes: Readonly<Record<string, string>> = {
  message: "msg_",
  function_call: "fc_",
  custom_tool_call: "ctc_",
  reasoning: "rs_",
};

/** An item of the input as the list of inputs shows it: with an id, its type, and parts instead of a text. */
function shownItem(item: JsonObject, random: () => number): JsonObject {
  const type = String(itemType(item));
  const id = isPresent(item["id"]) ? item["id"] : hexId(itemPrefixes[type] ?? `${type}_`, random);
  if (type !== "message") return { ...item, id, type };
  const { role, content } = item;
  const part = role === "assistant" ? "output_text" : "input_text";
  const parts = typeof content === "string" ? [{ type: part, text: content }] : content;
  return { ...item, id, type, status: "completed", role, content: parts };
}

/** The whole conversation up to a response: the items that it answered, and its own. Empty without an id. */
export function historyOf(
  id: unknown,
  answers: ChatContext["answers"],
): Result<readonly JsonObject[], ChatError> {
  const rounds: (readonly JsonObject[])[] = [];
  const seen = new Set<unknown>();
  // A script may give several responses one id.
  for (let next = id; isPresent(next) && !seen.has(next);) {
    seen.add(next);
    const stored = answers.get("response", String(next));
    if (stored === undefined) return failed(responsesErrors.noPreviousResponse(String(next)));
    rounds.unshift([...stored.input, ...(stored.body["output"] as readonly JsonObject[])]);
    next = stored.body["previous_response_id"];
  }
  return ok(rounds.flat());
}

type Stored = Pick<ChatContext, "answers">;

/** Answers about a stored response, or with an error if none has the id. */
export function withStored(
  id: string,
  { answers }: Stored,
  answer: (stored: StoredAnswer) => Reply,
): Reply {
  const stored = answers.get("response", id);
  return stored === undefined ? errorReply(responsesErrors.noResponse(id)) : answer(stored);
}

/** `DELETE /responses/{id}`. Its items stay, since other responses may refer to them. */
export function deleteResponse(id: string, context: Stored): Reply {
  return withStored(id, context, () => {
    context.answers.forget(id);
    return jsonReply(200, { id, object: "response.deleted", deleted: true });
  });
}

/** `POST /responses/{id}/cancel`: refuses, since every stored response has ended. */
export function cancelResponse(id: string, context: Stored): Reply {
  return withStored(id, context, () => errorReply(responsesErrors.notCancellable()));
}
