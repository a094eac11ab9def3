import { longestDelayMs } from "../../chat/delay.ts";
import type {
  ScriptChunk,
  ScriptCustomCall,
  ScriptFunctionCall,
  ScriptToolCall,
} from "../../chat/scripts/script.ts";
import { asObject } from "../../schema/json.ts";
import { closedObject, namedValues, object, optional, required } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";
import { byLeadKey } from "../../schema/tagged-objects.ts";
import {
  byKind,
  jsonValue,
  milliseconds,
  nonEmptyText,
  nullable,
  number,
  oneOf,
  text,
  textLike,
} from "../../schema/values.ts";
import { chunkFaultSchema } from "./fault-format.ts";

const callId = optional(nonEmptyText, "The call's id. Default: made from the seed.");

const functionCall: Schema<ScriptFunctionCall> = closedObject({
  id: callId,
  type: optional(oneOf(["function"]), "A function. The same as no `type`."),
  name: required(nonEmptyText, "The function's name."),
  arguments: optional(
    nullable(byKind("an object, a text or null", { string: text, object: namedValues(jsonValue) })),
    "An object is sent as JSON text, a string unchanged, null as `null`. Default: an empty object.",
  ),
});

const customCall: Schema<ScriptCustomCall> = closedObject({
  id: callId,
  type: required(oneOf(["custom"]), "A custom tool, which takes a text."),
  name: required(nonEmptyText, "The tool's name."),
  input: required(text, "The text that the tool gets. It can be a template."),
});

/** A call of a function, or of a custom tool. */
export const toolCall: Schema<ScriptToolCall> = {
  check: (value, run) => {
    const { type, input, arguments: given } = asObject(value) ?? {};
    if (type === "custom") {
      if (given === undefined) return customCall.check(value, run);
      const message = `A custom tool takes "input", a text, and no "arguments".`;
      return run.refuse(message, "arguments");
    }
    if (input === undefined) return functionCall.check(value, run);
    const message = `"input" is what a custom tool takes. Add "type": "custom", or give a function its "arguments".`;
    run.refuse(message, "input");
  },
  json: (refer) => ({ anyOf: [refer(functionCall), refer(customCall)] }),
};

const base64Text = textLike(
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  'Expected bytes in base64, such as "8J+R"',
);

const chunkObject = byLeadKey({
  wait: closedObject({ wait: required(milliseconds, "Milliseconds before the next step.") }),
  reasoning: closedObject({ reasoning: required(text, "A piece of reasoning.") }),
  toolCall: closedObject({ toolCall: required(toolCall, "A tool call.") }),
  comment: closedObject({
    comment: required(text, "An SSE comment line."),
    everyMs: optional(
      number({ least: 1, most: longestDelayMs }),
      "Repeats the comment at this interval, in milliseconds, until the next step.",
    ),
    times: optional(
      number({ whole: true, least: 1, most: 10_000 }),
      "With `everyMs`: how often the comment is sent before the next step.",
    ),
  }),
  raw: closedObject({ raw: required(text, "Text that is sent unchanged.") }),
  json: closedObject({ json: required(jsonValue, "The data of an event, sent as it is.") }),
  base64: closedObject({
    base64: required(base64Text, "Bytes that are sent unchanged, such as half a character."),
  }),
  outputItem: closedObject({
    outputItem: required(
      object({ type: required(nonEmptyText, "The item's type.") }, { isOpen: true }),
      "An output item of Responses as it is, such as a `web_search_call`. Chat completions leave it out.",
    ),
  }),
  fault: closedObject({ fault: required(chunkFaultSchema, "A fault at this point.") }),
});

/** A step of an explicit stream. */
export const chunk: Schema<ScriptChunk> = byKind(
  `a text, or an object with "wait", "reasoning", "toolCall", "comment", "raw", "json", "base64", "outputItem" or "fault"`,
  { string: text, object: chunkObject },
);
