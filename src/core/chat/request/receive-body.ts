import { failed, ok, type Result } from "../../errors/result.ts";
import type { Call, CallBody } from "../../http/call.ts";
import { parseBody } from "../../http/json-body.ts";
import { isObject } from "../../schema/json.ts";
import type { ChatContext } from "../context.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import type { RequestRules } from "./request-rules.ts";

/** The JSON of a call's body, or why it cannot be read. A model that the path names replaces the one in the body. */
export async function receiveBody(
  call: Call,
  rules: Pick<RequestRules, "refuseMediaType">,
  { deployment }: Pick<ChatContext, "deployment">,
): Promise<Result<unknown, ChatError>> {
  const wrongType = rules.refuseMediaType(call.headers["content-type"]);
  if (wrongType !== undefined) return failed(wrongType);
  const body = valueOf(await call.readBody());
  return body.ok ? ok(withModel(body.value, deployment)) : body;
}

function valueOf(received: CallBody): Result<unknown, ChatError> {
  const body = parseBody(received);
  switch (body.kind) {
    case "json":
      return ok(body.value);
    case "malformed":
      return failed(chatErrors.notJson(body.message));
    case "too-large":
      return failed(chatErrors.bodyTooLarge(body.limit));
    case "aborted":
      return failed(chatErrors.bodyCutShort());
  }
}

function withModel(body: unknown, deployment: string | undefined): unknown {
  return deployment === undefined || !isObject(body) ? body : { ...body, model: deployment };
}
