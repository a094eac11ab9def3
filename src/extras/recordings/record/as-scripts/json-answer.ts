import { asObject, type JsonObject } from "../../../../core/schema/json.ts";
import type { Remark } from "./choice-script.ts";
import type { SaidCall, SaidChoice } from "./said.ts";

/** The choices of a completion that came as one JSON object; undefined when it is none. */
export function readCompletion(body: unknown, remark: Remark): readonly SaidChoice[] | undefined {
  const choices = asObject(body)?.["choices"];
  if (!Array.isArray(choices) || choices.length === 0) return undefined;
  const read = choices.map((item: unknown) => readChoice(asObject(item) ?? {}, remark));
  return read.every((choice) => choice !== undefined) ? read : undefined;
}

function readChoice(choice: JsonObject, remark: Remark): SaidChoice | undefined {
  const message = asObject(choice["message"]);
  if (message === undefined) return undefined;
  const content = textOf(message["content"]);
  const isOdd = content === undefined && (message["content"] ?? null) !== null;
  if (isOdd) remark("a content that is no text was left out");
  for (const key of ["function_call", "audio"]) {
    if ((message[key] ?? null) !== null) remark(`"${key}" was left out, which no script can say`);
  }
  return {
    content,
    reasoning: textOf(message["reasoning_content"]) ?? textOf(message["reasoning"]),
    refusal: textOf(message["refusal"]),
    calls: readCalls(message["tool_calls"], remark),
    logprobs: choice["logprobs"] ?? undefined,
    finishReason: textOf(choice["finish_reason"]),
  };
}

function readCalls(value: unknown, remark: Remark): readonly SaidCall[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const call = asObject(item);
    const called = asObject(call?.["function"]);
    const name = textOf(called?.["name"]) ?? "";
    if (name === "") {
      remark("a tool call without the name of a function was left out");
      return [];
    }
    return [{ id: textOf(call?.["id"]), name, arguments: argumentsOf(called?.["arguments"]) }];
  });
}

/** Some services send an object where a text should be. */
function argumentsOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** A value that is a text; undefined when it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
