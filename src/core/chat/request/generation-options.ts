import type { ChatRequest, JsonObject } from "./chat-request.ts";
import { asObject } from "./read.ts";

/** What a request says of how its answer is made. */
export interface GenerationOptions {
  /** How many tokens each choice may have; Infinity when the request does not say. */
  readonly maxTokens: number;
  /** Content ends before the first of them. None is empty. */
  readonly stops: readonly string[];
  /** How many likely tokens are wanted beside each token's probability; undefined when no probability is. */
  readonly topLogprobs: number | undefined;
  /** The form that the content is to have, where that is JSON. */
  readonly jsonFormat: JsonObject | undefined;
}

/** Reads the options of a request that is known to be valid. */
export function generationOptions({ body }: ChatRequest): GenerationOptions {
  const format = asObject(body["response_format"]);
  const type = format?.["type"];
  const top = body["top_logprobs"];
  return {
    maxTokens: Math.min(count(body["max_tokens"]), count(body["max_completion_tokens"])),
    stops: stopsIn(body["stop"]),
    topLogprobs: body["logprobs"] === true ? (typeof top === "number" ? top : 0) : undefined,
    jsonFormat: type === "json_object" || type === "json_schema" ? format : undefined,
  };
}

function count(value: unknown): number {
  return typeof value === "number" ? value : Infinity;
}

const noStops: readonly string[] = [];

function stopsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? noStops : [value];
  if (!Array.isArray(value)) return noStops;
  return value.filter((stop): stop is string => typeof stop === "string" && stop !== "");
}
