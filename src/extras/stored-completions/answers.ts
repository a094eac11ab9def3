import type { ChatContext } from "../../core/chat/context.ts";
import { type ChatError, errorReply } from "../../core/chat/errors.ts";
import { checkBody } from "../../core/chat/request/check-body.ts";
import { receiveBody } from "../../core/chat/request/receive-body.ts";
import type { StoredAnswer } from "../../core/chat/stored-answers.ts";
import { listReply, type QueryArguments, queryArguments } from "../../core/chat/stored-page.ts";
import type { Call } from "../../core/http/call.ts";
import { jsonReply, type Reply } from "../../core/http/reply.ts";
import { asObject, type JsonObject } from "../../core/schema/json.ts";
import { metadataBody } from "./metadata-body.ts";

type Stored = Pick<ChatContext, "answers">;

function noCompletion(id: string): ChatError {
  return {
    status: 404,
    message: `Chat completion with id '${id}' not found. Only those with "store": true are kept.`,
    type: "invalid_request_error",
    code: null,
    param: null,
    // While answers are recorded, the real service may have the completion.
    isMiss: true,
  };
}

function withCompletion(
  id: string,
  { answers }: Stored,
  answer: (stored: StoredAnswer) => Reply,
): Reply {
  const stored = answers.get("completion", id);
  return stored === undefined ? errorReply(noCompletion(id)) : answer(stored);
}

function shown(body: JsonObject): Reply {
  return { ...jsonReply(200, body), answeredBy: "kept answers" };
}

/** `GET /chat/completions`: the stored completions, oldest first, of a `model` and with `metadata[key]` if given. */
export function listCompletions(query: string, { answers }: Stored): Reply {
  const asked = queryArguments(query);
  const all = answers.list("completion").map(({ body }) => body);
  return listReply(
    all.filter((body) => fits(body, asked)),
    asked,
    "asc",
  );
}

function fits({ model, metadata }: JsonObject, asked: QueryArguments): boolean {
  const isOfModel = asked["model"] === undefined || asked["model"] === model;
  return (
    isOfModel &&
    Object.entries(asked).every(([name, value]) => {
      const [, key] = /^metadata\[(.*)\]$/.exec(name) ?? [];
      return key === undefined || asObject(metadata)?.[key] === value;
    })
  );
}

/** `GET /chat/completions/{id}`. */
export function showCompletion(id: string, context: Stored): Reply {
  return withCompletion(id, context, ({ body }) => shown(body));
}

/** `POST /chat/completions/{id}`: replaces its metadata, the only thing that can change. */
export async function updateCompletion(
  id: string,
  call: Call,
  context: ChatContext,
): Promise<Reply> {
  const rules = await context.profile.rules();
  const received = await receiveBody(call, rules, context);
  if (!received.ok) return errorReply(received.error);
  const body = asObject(received.value) ?? {};
  const wrong = checkBody(metadataBody, body, { missing: rules.missing });
  if (wrong !== undefined) return errorReply(wrong);
  return withCompletion(id, context, (stored) => {
    const changed = { ...stored.body, metadata: body["metadata"] };
    context.answers.change(id, { ...stored, body: changed });
    return shown(changed);
  });
}

/** `DELETE /chat/completions/{id}`. */
export function deleteCompletion(id: string, context: Stored): Reply {
  return withCompletion(id, context, () => {
    context.answers.forget(id);
    return shown({ id, object: "chat.completion.deleted", deleted: true });
  });
}

/** `GET /chat/completions/{id}/messages`: the messages that the completion answered, oldest first. */
export function listMessages(id: string, query: string, context: Stored): Reply {
  return withCompletion(id, context, ({ input }) => {
    const messages = input.map((message, index) => ({
      id: `${id}-${index}`,
      ...messageOf(message),
    }));
    return listReply(messages, queryArguments(query), "asc");
  });
}

/** A message as the list shows it, with its parts in a field of their own. */
function messageOf({ role, content, name = null }: JsonObject): JsonObject {
  return typeof content === "string"
    ? { role, content, name, content_parts: null }
    : { role, content: null, name, content_parts: content ?? null };
}
