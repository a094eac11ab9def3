import {
  dictionary,
  type ObjectKey,
  object,
  optional,
  required,
  closedObject,
} from "../../schema/objects.ts";
import { byTag } from "../../schema/tagged-objects.ts";
import type { Schema } from "../../schema/schema.ts";
import {
  arrayOf,
  byKind,
  choice,
  flag,
  nonEmptyArray,
  number,
  oneOf,
  orMissing,
  text,
  textOf,
  jsonValue,
} from "../../schema/values.ts";
import {
  anyObject,
  functionName,
  lenient,
  lenientMessage,
  maybe,
  strictMessage,
  textContent,
} from "./message-schemas.ts";

// The arguments of the service that are objects. Unknown keys in them are refused.

const type = required(jsonValue);
const mostTools = 128;

const jsonSchema = closedObject({
  name: required(functionName),
  description: optional(text),
  schema: optional(anyObject),
  strict: maybe(flag),
});

/** `response_format`. */
const responseFormat: Schema<unknown> = byTag<unknown>("type", {
  text: closedObject({ type }),
  json_object: closedObject({ type }),
  json_schema: closedObject({ type, json_schema: required(jsonSchema) }),
});

/** `stream_options`. */
const streamOptions: Schema<unknown> = closedObject({
  include_usage: optional(flag),
  include_obfuscation: optional(flag),
});

/** `audio`: the sound of spoken answers. */
const audio: Schema<unknown> = closedObject({
  voice: required(
    byKind("a string or an object", {
      string: text,
      object: closedObject({ id: required(text) }),
    }),
  ),
  format: required(oneOf(["wav", "aac", "mp3", "flac", "opus", "pcm16"])),
});

/** `prediction`: text that most of the answer will repeat. */
const prediction: Schema<unknown> = byTag("type", {
  content: closedObject({ type, content: required(textContent) }),
});

const moderationMode = maybe(closedObject({ mode: required(oneOf(["score", "block"])) }));

/** `moderation`. */
export const moderation: Schema<unknown> = closedObject({
  model: required(text),
  policy: maybe(closedObject({ input: moderationMode, output: moderationMode })),
});

/** `prompt_cache_options`. */
const promptCacheOptions: Schema<unknown> = closedObject({
  mode: optional(oneOf(["implicit", "explicit"])),
  ttl: optional(oneOf(["30m"])),
});

const approximatePlace = closedObject({
  city: optional(text),
  country: optional(text),
  region: optional(text),
  timezone: optional(text),
});

/** `web_search_options`. */
const webSearchOptions: Schema<unknown> = closedObject({
  search_context_size: optional(oneOf(["low", "medium", "high"])),
  user_location: maybe(
    closedObject({
      type: required(oneOf(["approximate"])),
      approximate: required(approximatePlace),
    }),
  ),
});

const functionTool = closedObject({
  type,
  function: required(
    closedObject({
      name: required(functionName),
      description: optional(text),
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
const tools: Schema<unknown> = nonEmptyArray(
  byTag<unknown>("type", { function: functionTool, custom: customTool }),
  mostTools,
);

const chosen = required(closedObject({ name: required(text) }));

const allowedTools = closedObject({
  mode: required(oneOf(["auto", "required"])),
  tools: required(nonEmptyArray(anyObject)),
});

/** `tool_choice`: a keyword, or an object that names a tool. */
const toolChoice: Schema<unknown> = byKind("a string or an object", {
  string: oneOf(["none", "auto", "required"]),
  object: byTag<unknown>("type", {
    function: closedObject({ type, function: chosen }),
    custom: closedObject({ type, custom: chosen }),
    allowed_tools: closedObject({ type, allowed_tools: required(allowedTools) }),
  }),
});

/** `functions`, which `tools` replaced. */
const functions: Schema<unknown> = nonEmptyArray(
  closedObject({
    name: required(functionName),
    description: optional(text),
    parameters: optional(anyObject),
  }),
  mostTools,
);

/** `function_call`, which `tool_choice` replaced. */
const functionCall: Schema<unknown> = byKind("a string or an object", {
  string: oneOf(["none", "auto"]),
  object: closedObject({ name: required(text) }),
});

/** A field of a chat request. */
interface ChatField {
  /** The field's effect on the answer. Undefined: the field is only checked. */
  readonly effect: string | undefined;
  /** The field's schema as documented. Undefined: any value is accepted. */
  readonly document: ObjectKey<unknown, boolean> | undefined;
  /** The field's schema in the service that defines the interface. */
  readonly openai: ObjectKey<unknown, boolean>;
}

/** An optional, nullable field with the same schema in the documentation and in the service. */
function shared(schema: Schema<unknown>, effect?: string): ChatField {
  return { effect, document: optional(schema), openai: maybe(schema) };
}

/** A field without effect that only the service checks. */
function strictOnly(openai: ObjectKey<unknown, boolean>): ChatField {
  return { effect: undefined, document: undefined, openai };
}

const lenientTool = object({ name: required(orMissing(functionName, [""])) }, lenient);
const penalty = number({ least: -2, most: 2 });
const tokenCount = number({ integer: true, least: 1 });
const identifier = textOf({ most: 64 });

/**
 * All fields of a chat request. chat-request.ts reads those with an effect. Under the service's rules, problems of the
 * same stage are found in this order.
 */
const fields = {
  model: {
    effect: "A chat model of the list.",
    document: required(orMissing(text, [""])),
    openai: required(orMissing(text, ["", null])),
  },
  messages: {
    effect: "The conversation. Scripts match it, and its tokens are counted.",
    document: required(nonEmptyArray(lenientMessage)),
    openai: required(nonEmptyArray(strictMessage)),
  },
  audio: strictOnly(maybe(audio)),
  frequency_penalty: {
    effect: undefined,
    // The documented type and description contradict each other: both are accepted.
    document: optional(
      choice([flag, penalty], "a number", (value) => (typeof value === "boolean" ? 0 : 1)),
    ),
    openai: maybe(penalty),
  },
  function_call: strictOnly(optional(functionCall)),
  functions: strictOnly(optional(functions)),
  logit_bias: strictOnly(maybe(dictionary(number({ integer: true, least: -100, most: 100 })))),
  logprobs: shared(flag, "Whether to return token probabilities."),
  max_completion_tokens: shared(tokenCount, "The largest number of tokens in each choice."),
  max_tokens: shared(tokenCount, "The older name of `max_completion_tokens`; the smaller wins."),
  metadata: strictOnly(maybe(dictionary(textOf({ most: 512 }), { mostKeys: 16, longestKey: 64 }))),
  modalities: strictOnly(maybe(nonEmptyArray(oneOf(["text", "audio"])))),
  moderation: strictOnly(maybe(moderation)),
  n: shared(number({ integer: true, least: 1, most: 128 }), "How many choices to return."),
  parallel_tool_calls: strictOnly(optional(flag)),
  prediction: strictOnly(maybe(prediction)),
  presence_penalty: shared(penalty),
  prompt_cache_key: strictOnly(maybe(identifier)),
  prompt_cache_options: strictOnly(optional(promptCacheOptions)),
  prompt_cache_retention: strictOnly(maybe(oneOf(["in_memory", "in-memory", "24h"]))),
  reasoning_effort: strictOnly(
    maybe(oneOf(["none", "minimal", "low", "medium", "high", "xhigh", "max"])),
  ),
  response_format: {
    effect: "The form of an answer that no script gives.",
    document: optional(
      object({ type: required(oneOf(["text", "json_object", "json_schema"])) }, lenient),
    ),
    openai: optional(responseFormat),
  },
  safety_identifier: strictOnly(maybe(identifier)),
  seed: strictOnly(maybe(number({ integer: true, least: -(2 ** 63), most: 2 ** 63 }))),
  service_tier: strictOnly(maybe(oneOf(["auto", "default", "flex", "scale", "priority", "fast"]))),
  stop: shared(
    byKind("a string or an array of strings", { string: text, array: nonEmptyArray(text, 4) }),
    "Texts at which the content ends.",
  ),
  store: strictOnly(maybe(flag)),
  stream: {
    effect: "Whether to stream the answer.",
    // The documented type is a number, the description speaks of true and false. A number other than 0 means true.
    document: optional(
      choice([flag, number({})], "true, false or a number", (value) => {
        if (typeof value === "boolean") return 0;
        return typeof value === "number" ? 1 : undefined;
      }),
    ),
    openai: maybe(flag),
  },
  stream_options: {
    effect: "`include_usage`: whether a stream ends with its usage.",
    document: optional(object({ include_usage: optional(flag) }, lenient)),
    openai: maybe(streamOptions),
  },
  temperature: shared(number({ least: 0, most: 2 })),
  tool_choice: {
    effect: "The call in an answer that no script gives.",
    document: optional(
      byKind("a string or an object", {
        string: oneOf(["none", "auto", "required"]),
        object: anyObject,
      }),
    ),
    openai: optional(toolChoice),
  },
  tools: {
    effect: "The offered tools. Scripts match their names.",
    document: optional(
      arrayOf(
        byTag<unknown>(
          "type",
          {
            function: object({ function: required(lenientTool) }, lenient),
            custom: object({ custom: required(lenientTool) }, lenient),
          },
          lenient,
        ),
      ),
    ),
    openai: optional(tools),
  },
  top_logprobs: shared(
    number({ integer: true, least: 0, most: 20 }),
    "How many of the most likely tokens to list for each.",
  ),
  top_p: shared(number({ least: 0, most: 1 })),
  user: strictOnly(optional(identifier)),
  verbosity: strictOnly(maybe(oneOf(["low", "medium", "high"]))),
  web_search_options: strictOnly(optional(webSearchOptions)),
} satisfies Readonly<Record<string, ChatField>>;

/** The fields that the documentation names first. Their problems win over those of other fields. */
const documented: readonly string[] = [
  "model",
  "messages",
  "stream",
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "n",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "logprobs",
  "top_logprobs",
  "response_format",
  "tools",
  "tool_choice",
  "stream_options",
] satisfies readonly (keyof typeof fields)[];

const rows: readonly [string, ChatField][] = Object.entries(fields);

/** The names of all fields. */
export const chatFieldNames: readonly string[] = Object.keys(fields);

function placeOf(name: string): number {
  const place = documented.indexOf(name);
  return place === -1 ? documented.length : place;
}

function keysOf(
  set: "document" | "openai",
  inOrder: typeof rows,
): Readonly<Record<string, ObjectKey<unknown, boolean>>> {
  return Object.fromEntries(
    inOrder.flatMap(([name, { effect = "Checked, without effect.", [set]: key }]) =>
      key === undefined ? [] : [[name, { ...key, description: effect }]],
    ),
  );
}

/** A body's schema with a description, which says in the JSON Schema what happens to other fields. */
function body(schema: Schema<unknown>, description: string): Schema<unknown> {
  return { ...schema, json: (refer) => ({ description, ...schema.json(refer) }) };
}

/** The body of a request as documented. */
export const documentBody: Schema<unknown> = body(
  object(
    keysOf(
      "document",
      rows.toSorted(([left], [right]) => placeOf(left) - placeOf(right)),
    ),
    lenient,
  ),
  "Other fields are accepted without effect.",
);

/** The body of a request as the service that defines the interface checks it. */
export const openaiBody: Schema<unknown> = body(
  object(keysOf("openai", rows), {}),
  "All arguments of the service are checked; others are refused.",
);
