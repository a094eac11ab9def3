import type { Reply } from "../../core/http/reply.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import type { Call } from "../../core/http/call.ts";
import { deepestJson, nestsTooDeep } from "../../core/http/json-depth.ts";
import { errorReply, uncaughtReply } from "./errors.ts";

/** As the runtime decodes bodies: broken UTF-8 becomes U+FFFD, and a byte order mark is a character. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads a body as JSON, whatever its content type. What is no JSON is an exception that nobody catches. */
export async function readBody(call: Call): Promise<Result<unknown, Reply>> {
  const body = await call.readBody();
  if (body.kind === "too-large") return failed(errorReply(413, "Payload Too Large"));
  if (body.kind === "aborted") return failed(uncaughtReply("the body did not arrive completely"));
  const text = decoder.decode(body.bytes);
  try {
    const value: unknown = JSON.parse(text);
    if (!nestsTooDeep(text)) return ok(value);
    return failed(uncaughtReply(`the body nests more than ${deepestJson} levels deep`));
  } catch (error) {
    return failed(uncaughtReply(error instanceof Error ? error.message : String(error)));
  }
}

/** A body whose keys are columns. */
export type BodyObject = Readonly<Record<string, unknown>>;

/** Whether a body is an object that is no array. */
export function isBodyObject(value: unknown): value is BodyObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
