import type { JsonObject } from "../request/chat-request.ts";
import { asObject } from "../request/read.ts";
import type { Misfit } from "./json-schema.ts";

/** The form that a `response_format` asks for. */
export interface JsonFormat {
  /** Undefined where any JSON object will do. */
  readonly schema: unknown;
}

/** The form in a `response_format` of type `json_object` or `json_schema`. */
export function readJsonFormat(format: JsonObject): JsonFormat {
  return { schema: asObject(format["json_schema"])?.["schema"] };
}

/**
 * What is wrong with a text that a choice says; undefined when it fits. A schema that is not `trusted` judges only
 * what takes little time, since nothing can stop it.
 */
export async function misfit(
  text: string,
  { schema }: JsonFormat,
  { trusted }: { readonly trusted: boolean },
): Promise<Misfit | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { blames: "content", problem: "is not JSON" };
  }
  if (schema === undefined) {
    const isObject = asObject(value) !== undefined;
    return isObject ? undefined : { blames: "content", problem: "is no JSON object" };
  }
  if (!trusted) {
    const { whyTooSlow } = await import("./schema-work.ts");
    const problem = whyTooSlow(schema, text.length);
    if (problem !== undefined) return { blames: "schema", problem };
  }
  const { findMisfit } = await import("./json-schema.ts");
  return findMisfit(value, schema);
}
