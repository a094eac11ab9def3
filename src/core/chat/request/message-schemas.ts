import { isObject, isPresent } from "../../schema/json.ts";
import { dictionary, type ObjectKey, object, optional, required } from "../../schema/objects.ts";
import { byTag } from "../../schema/tagged-objects.ts";
import type { Schema } from "../../schema/schema.ts";
import {
  arrayOf,
  byKind,
  choice,
  jsonValue,
  nonEmptyArray,
  nullable,
  oneOf,
  text,
  textOf,
} from "../../schema/values.ts";

/**
 * Options for messages and their parts, which may have unknown keys: SDKs send back keys that they added to replies.
 */
const open = { isOpen: true };

/** Clients of the documented interface also send null for missing values. */
export const lenient = { isOpen: true, nullIsAbsent: true };

/** An optional, nullable key. */
export function maybe<Value>(schema: Schema<Value>): ObjectKey<Value | null, false> {
  return optional(nullable(schema));
}

/** The name of a function that is offered as a tool. */
export const functionName: Schema<string> = textOf({
  most: 64,
  pattern: /^[a-zA-Z0-9_-]+$/,
  form: 'letters, digits, "_" and "-"',
});

/** An object whose keys are not checked, such as a JSON schema. */
export const anyObject: Schema<unknown> = dictionary(jsonValue);

const stringOrParts = "a string or an array of parts";

/** The longest text of a message. */
export const longText: Schema<string> = textOf({ most: 10_485_760 });

const textPart = object({ text: required(text) }, open);
const imagePart = object(
  {
    image_url: required(
      object(
        { url: required(text), detail: optional(oneOf(["auto", "low", "high", "original"])) },
        open,
      ),
    ),
  },
  open,
);
const audioPart = object(
  {
    input_audio: required(
      object({ data: required(text), format: required(oneOf(["wav", "mp3"])) }, open),
    ),
  },
  open,
);
const filePart = object(
  {
    file: required(
      object(
        { file_data: optional(text), file_id: optional(text), filename: optional(text) },
        open,
      ),
    ),
  },
  open,
);
const refusalPart = object({ refusal: required(text) }, open);

function contentOf(parts: Readonly<Record<string, Schema<unknown>>>): Schema<unknown> {
  return byKind(stringOrParts, { string: longText, array: nonEmptyArray(byTag("type", parts)) });
}

/** Content that can only be text. */
export const textContent: Schema<unknown> = contentOf({ text: textPart });

const callId = textOf({ most: 40 });
const calledFunction = object({ name: required(functionName), arguments: required(text) }, open);
const toolCall = byTag<unknown>("type", {
  function: object({ id: required(callId), function: required(calledFunction) }, open),
  custom: object(
    {
      id: required(callId),
      custom: required(object({ name: required(functionName), input: required(text) }, open)),
    },
    open,
  ),
});

const name = optional(
  textOf({
    most: 64,
    pattern: /^[^\s<|\\/>]+$/,
    form: "without spaces and the signs < | \\ / >",
  }),
);

const assistantKeys = object(
  {
    content: maybe(contentOf({ text: textPart, refusal: refusalPart })),
    refusal: maybe(text),
    name,
    audio: maybe(object({ id: required(text) }, open)),
    tool_calls: optional(nonEmptyArray(toolCall, 128)),
    function_call: maybe(calledFunction),
  },
  open,
);

const insteadOfContent = ["content", "tool_calls", "function_call", "refusal", "audio"];
const neededContent: Schema<unknown> = {
  check: (value, run) => run.mustBe(stringOrParts, value),
  json: () => ({}),
};

/** Content is optional in a message that has a refusal, audio or calls. */
const assistant: Schema<unknown> = {
  check: (value, run) => {
    assistantKeys.check(value, run);
    if (!isObject(value) || insteadOfContent.some((key) => isPresent(value[key]))) return;
    if (value["content"] === null) run.checkPart(neededContent, null, "content");
    else run.report({ kind: "missing", key: "content" });
  },
  json: assistantKeys.json,
};

const instructions = object({ content: required(textContent), name }, open);
const userContent = contentOf({
  text: textPart,
  image_url: imagePart,
  input_audio: audioPart,
  file: filePart,
});

/** A message of the conversation as the service accepts it, by role. */
export const strictMessage: Schema<unknown> = byTag<unknown>("role", {
  system: instructions,
  developer: instructions,
  user: object({ content: required(userContent), name }, open),
  assistant,
  tool: object({ content: required(textContent), tool_call_id: required(callId) }, open),
  function: object({ name: required(functionName), content: required(nullable(text)) }, open),
});

const lenientTextPart = object({ text: required(text) }, lenient);
const lenientOtherPart = object({ type: required(text) }, lenient);
const lenientPart = choice([lenientTextPart, lenientOtherPart], "an object", (value) =>
  isObject(value) && value["type"] === "text" ? 0 : 1,
);

const lenientContent = byKind(stringOrParts, { string: text, array: arrayOf(lenientPart) });

const lenientFunctionCall = object(
  {
    id: required(text),
    function: required(object({ name: required(text), arguments: optional(text) }, lenient)),
  },
  lenient,
);
const lenientCustomCall = object(
  {
    id: required(text),
    custom: required(object({ name: required(text), input: optional(text) }, lenient)),
  },
  lenient,
);
const lenientCall = choice([lenientCustomCall, lenientFunctionCall], "an object", (value) =>
  isObject(value) && value["type"] === "custom" ? 0 : 1,
);

const lenientName = { name: optional(text) };
const plain = object({ content: required(lenientContent), ...lenientName }, lenient);

/** A message of the conversation as documented. As in the service, a key that only other roles have is not checked. */
export const lenientMessage: Schema<unknown> = byTag<unknown>(
  "role",
  {
    system: plain,
    developer: plain,
    user: plain,
    // Clients send back replies that may be empty: those cut short, and those with only reasoning, which clients leave
    // out.
    assistant: object(
      {
        content: optional(lenientContent),
        ...lenientName,
        tool_calls: optional(arrayOf(lenientCall)),
      },
      lenient,
    ),
    tool: object({ content: required(lenientContent), tool_call_id: required(text) }, lenient),
    function: object({ content: optional(lenientContent), ...lenientName }, lenient),
  },
  lenient,
);
