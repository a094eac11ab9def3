import type { JsonObject } from "./chat-request.ts";
import { type Step, textIn } from "./completion.ts";
import { asObject } from "./read.ts";
import { cut } from "./show.ts";

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

/** For the log: what of an answer does not fit the form that was asked for; empty when all does. */
export async function remarkOnFormat(
  choices: readonly { readonly steps: readonly Step[]; readonly isCut: boolean }[],
  format: JsonObject,
): Promise<string> {
  const wanted = readJsonFormat(format);
  for (const { steps, isCut } of choices) {
    const text = textIn(steps, "content");
    // What was cut short is no longer what it was, and its finish reason says so.
    const problem = text === null || isCut ? undefined : await misfit(text, wanted);
    if (problem !== undefined) return ` (its content ${cut(problem)})`;
  }
  return "";
}
