import { asObject } from "../../../schema/json.ts";
import type { Shape } from "../shape.ts";
import {
  byKind,
  list,
  object,
  type ObjectRules,
  optional,
  required,
  variants,
} from "../structure-shapes.ts";
import { anything, text } from "../value-shapes.ts";

/** Clients send null for what they leave out, and keys that the documents do not have are let pass. */
export const lenient: ObjectRules = { nullIsAbsent: true };

const string = text();

const part: Shape = (value) => {
  const isText = asObject(value)?.["type"] === "text";
  return isText ? textPart(value) : otherPart(value);
};
const textPart = object({ text: required(string) }, lenient);
const otherPart = object({ type: required(string) }, lenient);

const content = byKind("a string or an array of parts", {
  string: anything,
  array: list(part, { least: 0 }),
});

const toolCall = object(
  {
    id: required(string),
    function: required(object({ name: required(string), arguments: optional(string) }, lenient)),
  },
  lenient,
);

const common = { name: optional(string), tool_calls: optional(list(toolCall, { least: 0 })) };
const plain = object({ content: required(content), ...common }, lenient);
/** Clients send replies back that may say nothing at all: cut short, or reasoning only, which they leave out. */
const assistant = object({ content: optional(content), ...common }, lenient);

/** A message of the conversation. */
export const message: Shape = variants(
  "role",
  {
    system: plain,
    developer: plain,
    user: plain,
    assistant,
    tool: object(
      { content: required(content), tool_call_id: required(string), ...common },
      lenient,
    ),
    function: plain,
  },
  lenient,
);
