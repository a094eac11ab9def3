import { moderation } from "../../core/chat/request/fields.ts";
import {
  anyObject,
  functionName,
  longText,
  maybe,
} from "../../core/chat/request/message-schemas.ts";
import { closedObject, dictionary, object, optional, required } from "../../core/schema/objects.ts";
import type { Schema } from "../../core/schema/schema.ts";
import { byTag } from "../../core/schema/tagged-objects.ts";
import {
  arrayOf,
  byKind,
  flag,
  jsonValue,
  number,
  oneOf,
  orMissing,
  text,
  textOf,
} from "../../core/schema/values.ts";
import { inputItem } from "./input-items.ts";

const type = required(jsonValue);
const open = { isOpen: true };

/** The values of `include`, which add data to the answer's items. */
const includable = [
  "file_search_call.results",
  "web_search_call.results",
  "web_search_call.action.sources",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "code_interpreter_call.outputs",
  "reasoning.encrypted_content",
  "message.output_text.logprobs",
] as const;

/**
 * Tools that the service runs itself, or that a client runs for it. They are accepted, but no call of them is made up.
 */
export const hostedTools = [
  "apply_patch",
  "code_interpreter",
  "computer",
  "computer_use_preview",
  "file_search",
  "image_generation",
  "local_shell",
  "mcp",
  "namespace",
  "programmatic_tool_calling",
  "shell",
  "tool_search",
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11",
] as const;

const hosted: Schema<unknown> = object({ type }, open);

const tool = byTag<unknown>("type", {
  function: closedObject({
    type,
    name: required(functionName),
    description: maybe(text),
    parameters: maybe(anyObject),
    output_schema: maybe(anyObject),
    strict: maybe(flag),
    defer_loading: maybe(flag),
    allowed_callers: maybe(arrayOf(text)),
  }),
  custom: closedObject({
    type,
    name: required(functionName),
    description: maybe(text),
    format: maybe(anyObject),
    defer_loading: maybe(flag),
    allowed_callers: maybe(arrayOf(text)),
  }),
  ...Object.fromEntries(hostedTools.map((name) => [name, hosted])),
});

const named = closedObject({ type, name: required(text) });

const toolChoice = byKind("one of 'none', 'auto' and 'required', or an object", {
  string: oneOf(["none", "auto", "required"]),
  object: byTag<unknown>("type", {
    function: named,
    custom: named,
    allowed_tools: closedObject({
      type,
      mode: required(oneOf(["auto", "required"])),
      tools: required(arrayOf(anyObject)),
    }),
    ...Object.fromEntries([...hostedTools, "computer_use"].map((name) => [name, hosted])),
  }),
});

const format = byTag<unknown>("type", {
  text: closedObject({ type }),
  json_object: closedObject({ type }),
  json_schema: closedObject({
    type,
    name: required(functionName),
    description: maybe(text),
    schema: required(anyObject),
    strict: maybe(flag),
  }),
});

const identifier = textOf({ most: 64 });
const penalty = number({ least: -2, most: 2 });

/** The arguments of `POST /responses`. Problems are found in this order, after those of missing and unknown ones. */
const fields = {
  model: required(orMissing(text, [null]), "A chat model of the list."),
  input: optional(
    byKind("a string or an array of input items", { string: longText, array: arrayOf(inputItem) }),
    "The conversation. Scripts match it, and its tokens are counted.",
  ),
  previous_response_id: maybe(text),
  prompt: maybe(object({ id: required(text) }, open)),
  moderation: maybe(moderation),
  include: maybe(arrayOf(oneOf(includable))),
  tools: maybe(arrayOf(tool)),
  tool_choice: maybe(toolChoice),
  metadata: maybe(dictionary(textOf({ most: 512 }), { mostKeys: 16, longestKey: 64 })),
  text: maybe(
    closedObject({ format: maybe(format), verbosity: maybe(oneOf(["low", "medium", "high"])) }),
  ),
  temperature: maybe(number({ least: 0, most: 2 })),
  top_p: maybe(number({ least: 0, most: 1 })),
  presence_penalty: maybe(penalty),
  frequency_penalty: maybe(penalty),
  parallel_tool_calls: maybe(flag),
  stream: maybe(flag),
  stream_options: maybe(closedObject({ include_obfuscation: maybe(flag) })),
  background: maybe(flag),
  background_options: maybe(
    closedObject({
      completion_window: maybe(oneOf(["soonest", "2h", "8h"])),
      continuation_id: maybe(text),
    }),
  ),
  max_output_tokens: maybe(number({ integer: true, least: 16 })),
  max_tool_calls: maybe(number({ integer: true, least: 1 })),
  reasoning: maybe(
    closedObject({
      effort: maybe(oneOf(["none", "minimal", "low", "medium", "high", "xhigh", "max"])),
      summary: maybe(oneOf(["concise", "detailed", "auto"])),
      generate_summary: maybe(oneOf(["concise", "detailed", "auto"])),
      mode: maybe(text),
      context: maybe(oneOf(["auto", "current_turn", "all_turns"])),
    }),
  ),
  user: maybe(text),
  safety_identifier: maybe(identifier),
  prompt_cache_options: maybe(
    closedObject({
      mode: maybe(oneOf(["implicit", "explicit"])),
      ttl: maybe(oneOf(["30m", "12h"])),
      comparison_response_id: maybe(text),
      prewarm: maybe(flag),
    }),
  ),
  prompt_cache_key: maybe(text),
  prompt_cache_retention: maybe(oneOf(["in_memory", "24h"])),
  truncation: maybe(oneOf(["auto", "disabled"])),
  instructions: maybe(text),
  store: maybe(flag),
  service_tier: maybe(oneOf(["auto", "default", "fast", "flex", "priority", "scale", "ultrafast"])),
  top_logprobs: maybe(number({ integer: true, least: 0, most: 20 })),
  access_programs: maybe(
    closedObject({ cyber: maybe(oneOf(["standard", "daybreak_blue", "daybreak_red"])) }),
  ),
  image: maybe(
    closedObject({ context_compression: maybe(oneOf(["auto", "enabled", "disabled"])) }),
  ),
  context_management: maybe(arrayOf(anyObject)),
  // The service's own command-line tool sends this undocumented argument.
  client_metadata: maybe(anyObject),
  conversation: maybe(
    byKind("a string or an object", { string: text, object: closedObject({ id: required(text) }) }),
  ),
} as const;

/** The body of `POST /responses`. */
export const responsesBody: Schema<unknown> = closedObject(fields);

/** The names of all arguments. */
export const argumentNames: readonly string[] = Object.keys(fields);
