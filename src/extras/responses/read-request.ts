import { inChatForm, itemsOf, partTypes } from "../../core/chat/forms/responses-request.ts";
import type { ChatContext } from "../../core/chat/context.ts";
import { type ChatError, chatErrors } from "../../core/chat/errors.ts";
import type { ReadBody } from "../../core/chat/request/admit-request.ts";
import { checkBody } from "../../core/chat/request/check-body.ts";
import { type ChatRequest, requestOf } from "../../core/chat/request/chat-request.ts";
import { refuseByModel, refuseByRules } from "../../core/chat/request/service-rules.ts";
import type { ChatModel } from "../../core/chat/models.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { asObject, isPresent, type JsonObject } from "../../core/schema/json.ts";
import { responsesErrors } from "./errors.ts";
import { argumentNames, responsesBody } from "./fields.ts";
import { itemType } from "./input-items.ts";
import { refuseItems } from "./item-order.ts";
import { historyOf } from "./stored-responses.ts";

/**
 * Reads the body of `POST /responses`, or returns its first problem, in the order of the service: missing arguments,
 * unknown ones, then types and values in the order of the fields, then what is looked up, then the items.
 */
export function readResponsesRequest(
  value: unknown,
  { answers }: Pick<ChatContext, "answers">,
): Result<ReadBody, ChatError> {
  const body = asObject(value);
  if (body === undefined) return failed(chatErrors.notAnObject(value));
  const error = refuseFields(body) ?? refuseLookups(body);
  if (error !== undefined) return failed(error);
  const history = historyOf(body["previous_response_id"], answers);
  if (!history.ok) return history;
  const input = resolvedItems(body["input"], answers);
  if (!input.ok) return input;
  const items = [...history.value, ...input.value];
  const wrong = refuseContents(body, items);
  if (wrong !== undefined) return failed(wrong);
  const readAgain = (sent: JsonObject): ChatRequest => {
    const again = resolvedItems(sent["input"], answers);
    const all = [...history.value, ...(again.ok ? again.value : [])];
    return requestOf(inChatForm(sent, all), { sent, partTypes });
  };
  const request = requestOf(inChatForm(body, items), { sent: body, partTypes });
  const ruled = { form: "responses", request } as const;
  const refused = refuseByRules(ruled);
  if (refused !== undefined) return failed(refused);
  const refuse = (model: ChatModel): ChatError | undefined => refuseByModel(ruled, model);
  return ok({ request, readAgain, param: "input", refuse });
}

function refuseFields(body: JsonObject): ChatError | undefined {
  const { model, input, previous_response_id: previous, prompt, conversation } = body;
  if (!isPresent(model)) return chatErrors.missing("model");
  if (isPresent(body["messages"])) return responsesErrors.messagesMoved();
  if (input === undefined && ![previous, prompt, conversation].some(isPresent)) {
    return chatErrors.missing("input");
  }
  if (model === "") return responsesErrors.noSuchModel("");
  return checkBody(responsesBody, body, {
    missing: chatErrors.missing,
    // A name that the request has already is not suggested.
    unknown: (names) =>
      responsesErrors.unknownArgument(
        names,
        argumentNames.filter((name) => !Object.hasOwn(body, name)),
      ),
    stageOf: (kind, isWithin) => (kind === "unknown" && !isWithin ? 0 : 1),
  });
}

/** Refuses arguments that need something Backlot does not store: conversations, prompts and background responses. */
function refuseLookups(body: JsonObject): ChatError | undefined {
  const { conversation, prompt, previous_response_id: previous, background } = body;
  if (isPresent(conversation)) {
    if (isPresent(previous)) return responsesErrors.exclusive();
    return responsesErrors.noConversation(String(asObject(conversation)?.["id"] ?? conversation));
  }
  if (isPresent(prompt)) return responsesErrors.noPrompt(String(asObject(prompt)?.["id"]));
  return background === true ? responsesErrors.notInBackground() : undefined;
}

/** The items of an input, in which stored items replace the references to them. */
function resolvedItems(
  input: unknown,
  answers: ChatContext["answers"],
): Result<readonly JsonObject[], ChatError> {
  const items: JsonObject[] = [];
  for (const item of itemsOf(input)) {
    if (itemType(item) !== "item_reference") {
      items.push(item);
      continue;
    }
    const id = String(item["id"]);
    const stored = answers.get("item", id);
    if (stored === undefined) return failed(responsesErrors.noItem(id));
    items.push(stored.body);
  }
  return ok(items);
}

function refuseContents(body: JsonObject, items: readonly JsonObject[]): ChatError | undefined {
  if (items.length === 0 || body["input"] === "") return responsesErrors.noInput();
  return refuseItems(items) ?? refuseToolChoice(body);
}

function refuseToolChoice({ tools, tool_choice: choice }: JsonObject): ChatError | undefined {
  const { type, name } = asObject(choice) ?? {};
  if (typeof type !== "string" || type === "allowed_tools") return undefined;
  const offered = Array.isArray(tools) ? tools.map((tool) => asObject(tool)) : [];
  const isOffered = offered.some(
    (tool) =>
      kindOfTool(tool?.["type"]) === kindOfTool(type) &&
      (name === undefined || tool?.["name"] === name),
  );
  return isOffered ? undefined : responsesErrors.toolNotOffered(type);
}

/**
 * The kind of a tool. The computer tool has several names, and the choice may use another one than the list of tools.
 */
function kindOfTool(type: unknown): unknown {
  return type === "computer_use" || type === "computer_use_preview" ? "computer" : type;
}
