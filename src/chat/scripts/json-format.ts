import type { JsonObject } from "../request/chat-request.ts";
import { asObject } from "../request/read.ts";

/** The form that a `response_format` asks for. */
export interface JsonFormat {
  /** Undefined where any JSON object will do. */
  readonly schema: unknown;
}

/** The form in a `response_format` of type `json_object` or `json_schema`. */
export function readJsonFormat(format: JsonObject): JsonFormat {
  return { schema: asObject(format["json_schema"])?.["schema"] };
}

/** What a text that a choice says is not, in words that follow "the content"; undefined when it fits. */
export async function misfit(text: string, { schema }: JsonFormat): Promise<string | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  if (schema === undefined) return asObject(value) === undefined ? "is no JSON object" : undefined;
  const { findMisfit } = await import("./json-schema.ts");
  return findMisfit(value, schema);
}
