import { functionName } from "../function-name.ts";
import type { Shape } from "../shape.ts";
import { byKind, list, object, optional, required, variants } from "../structure-shapes.ts";
import { anything, flag, oneOf, text } from "../value-shapes.ts";
import { textContent } from "./message-shape.ts";
import { closed, maybe } from "./object-rules.ts";
import { anyObject } from "./tool-shapes.ts";

const string = text();
const type = required(anything);

const jsonSchema = object(
  {
    name: required(functionName),
    description: optional(string),
    schema: optional(anyObject),
    strict: maybe(flag),
  },
  closed,
);

/** `response_format`. */
export const responseFormat: Shape = variants(
  "type",
  {
    text: object({ type }, closed),
    json_object: object({ type }, closed),
    json_schema: object({ type, json_schema: required(jsonSchema) }, closed),
  },
  closed,
);

/** `stream_options`. */
export const streamOptions: Shape = object(
  { include_usage: optional(flag), include_obfuscation: optional(flag) },
  closed,
);

/** `stop`: a text, or one to four of them. */
export const stop: Shape = byKind("a string or an array of strings", {
  string: anything,
  array: list(string, { most: 4 }),
});

/** `audio`: how spoken answers sound. */
export const audio: Shape = object(
  {
    voice: required(
      byKind("a string or an object", {
        string: anything,
        object: object({ id: required(string) }, closed),
      }),
    ),
    format: required(oneOf(["wav", "aac", "mp3", "flac", "opus", "pcm16"])),
  },
  closed,
);

/** `prediction`: text that the answer will mostly have. */
export const prediction: Shape = variants(
  "type",
  { content: object({ type, content: required(textContent) }, closed) },
  closed,
);

const moderationMode = maybe(object({ mode: required(oneOf(["score", "block"])) }, closed));

/** `moderation`. */
export const moderation: Shape = object(
  {
    model: required(string),
    policy: maybe(object({ input: moderationMode, output: moderationMode }, closed)),
  },
  closed,
);

/** `prompt_cache_options`. */
export const promptCacheOptions: Shape = object(
  { mode: optional(oneOf(["implicit", "explicit"])), ttl: optional(oneOf(["30m"])) },
  closed,
);

const place = object(
  {
    city: optional(string),
    country: optional(string),
    region: optional(string),
    timezone: optional(string),
  },
  closed,
);

/** `web_search_options`. */
export const webSearchOptions: Shape = object(
  {
    search_context_size: optional(oneOf(["low", "medium", "high"])),
    user_location: maybe(
      object({ type: required(oneOf(["approximate"])), approximate: required(place) }, closed),
    ),
  },
  closed,
);
