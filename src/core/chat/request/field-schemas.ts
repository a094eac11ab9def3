import { closedObject, optional, required } from "../../schema/objects.ts";
import { byTag } from "../../schema/tagged-objects.ts";
import type { Schema } from "../../schema/schema.ts";
import {
  byKind,
  flag,
  jsonValue,
  nonEmptyArray,
  oneOf,
  text,
  textOf,
} from "../../schema/values.ts";
import { anyObject, functionName, maybe, textContent } from "./message-schemas.ts";

// The objects among the service's arguments. All their keys are known.

const description = textOf({ most: 1024 });
const type = required(jsonValue);
const mostTools = 128;

const jsonSchema = closedObject({
  name: required(functionName),
  description: optional(text),
  schema: optional(anyObject),
  strict: maybe(flag),
});

/** `response_format`. */
export const responseFormat: Schema<unknown> = byTag<unknown>("type", {
  text: closedObject({ type }),
  json_object: closedObject({ type }),
  json_schema: closedObject({ type, json_schema: required(jsonSchema) }),
});

/** `stream_options`. */
export const streamOptions: Schema<unknown> = closedObject({
  include_usage: optional(flag),
  include_obfuscation: optional(flag),
});

/** `audio`: the sound of spoken answers. */
export const audio: Schema<unknown> = closedObject({
  voice: required(
    byKind("a string or an object", {
      string: text,
      object: closedObject({ id: required(text) }),
    }),
  ),
  format: required(oneOf(["wav", "aac", "mp3", "flac", "opus", "pcm16"])),
});

/** `prediction`: text that most of the answer will repeat. */
export const prediction: Schema<unknown> = byTag("type", {
  content: closedObject({ type, content: required(textContent) }),
});

const moderationMode = maybe(closedObject({ mode: required(oneOf(["score", "block"])) }));

/** `moderation`. */
export const moderation: Schema<unknown> = closedObject({
  model: required(text),
  policy: maybe(closedObject({ input: moderationMode, output: moderationMode })),
});

/** `prompt_cache_options`. */
export const promptCacheOptions: Schema<unknown> = closedObject({
  mode: optional(oneOf(["implicit", "explicit"])),
  ttl: optional(oneOf(["30m"])),
});

const place = closedObject({
  city: optional(text),
  country: optional(text),
  region: optional(text),
  timezone: optional(text),
});

/** `web_search_options`. */
export const webSearchOptions: Schema<unknown> = closedObject({
  search_context_size: optional(oneOf(["low", "medium", "high"])),
  user_location: maybe(
    closedObject({ type: required(oneOf(["approximate"])), approximate: required(place) }),
  ),
});

const functionTool = closedObject({
  type,
  function: required(
    closedObject({
      name: required(functionName),
      description: optional(description),
      parameters: optional(anyObject),
      strict: maybe(flag),
    }),
  ),
});

const grammar = closedObject({
  definition: required(text),
  syntax: required(oneOf(["lark", "regex"])),
});

const customFormat = byTag<unknown>("type", {
  text: closedObject({ type }),
  grammar: closedObject({ type, grammar: required(grammar) }),
});

const customTool = closedObject({
  type,
  custom: required(
    closedObject({
      name: required(functionName),
      description: optional(text),
      format: optional(customFormat),
    }),
  ),
});

/** `tools`. */
export const tools: Schema<unknown> = nonEmptyArray(
  byTag<unknown>("type", { function: functionTool, custom: customTool }),
  mostTools,
);

const chosen = required(closedObject({ name: required(text) }));

const allowedTools = closedObject({
  mode: required(oneOf(["auto", "required"])),
  tools: required(nonEmptyArray(anyObject)),
});

/** `tool_choice`: a keyword, or an object that names a tool. */
export const toolChoice: Schema<unknown> = byKind("a string or an object", {
  string: oneOf(["none", "auto", "required"]),
  object: byTag<unknown>("type", {
    function: closedObject({ type, function: chosen }),
    custom: closedObject({ type, custom: chosen }),
    allowed_tools: closedObject({ type, allowed_tools: required(allowedTools) }),
  }),
});

/** `functions`, which `tools` replaced. */
export const functions: Schema<unknown> = nonEmptyArray(
  closedObject({
    name: required(functionName),
    description: optional(description),
    parameters: optional(anyObject),
  }),
  mostTools,
);

/** `function_call`, which `tool_choice` replaced. */
export const functionCall: Schema<unknown> = byKind("a string or an object", {
  string: oneOf(["none", "auto"]),
  object: closedObject({ name: required(text) }),
});
