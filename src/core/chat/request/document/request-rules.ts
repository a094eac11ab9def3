import { functionName } from "../function-name.ts";
import type { RequestRules } from "../request-rules.ts";
import { missing, type Shape, wrongType } from "../shape.ts";
import { byKind, list, object, optional, required, variants } from "../structure-shapes.ts";
import { anything, flag, number, oneOf, text } from "../value-shapes.ts";
import { lenient, message } from "./message-shape.ts";

const penalty = number({ kind: "decimal", least: -2, greatest: 2 });
const tokenCount = number({ kind: "integer", least: 1 });

/** An empty name is none. */
function named(shape: Shape): Shape {
  return (value) => (value === "" ? missing("") : shape(value));
}

const stream: Shape = (value) =>
  typeof value === "boolean" || value === 0 || value === 1
    ? undefined
    : wrongType("true, false, 1 or 0", value);

const tool = variants(
  "type",
  {
    function: object(
      { function: required(object({ name: required(named(functionName)) }, lenient)) },
      lenient,
    ),
  },
  lenient,
);

const responseFormat = object(
  { type: required(oneOf(["text", "json_object", "json_schema"])) },
  lenient,
);

const body = object(
  {
    model: required(named(text())),
    messages: required(list(message)),
    stream: optional(stream),
    temperature: optional(number({ kind: "decimal", least: 0, greatest: 2 })),
    top_p: optional(number({ kind: "decimal", least: 0, greatest: 1 })),
    frequency_penalty: optional((value) =>
      typeof value === "boolean" ? undefined : penalty(value),
    ),
    presence_penalty: optional(penalty),
    n: optional(number({ kind: "integer", least: 1, greatest: 128 })),
    max_tokens: optional(tokenCount),
    max_completion_tokens: optional(tokenCount),
    stop: optional(
      byKind("a string or an array of strings", {
        string: anything,
        array: list(text(), { most: 4 }),
      }),
    ),
    logprobs: optional(flag),
    top_logprobs: optional(number({ kind: "integer", least: 0, greatest: 20 })),
    response_format: optional(responseFormat),
    tools: optional(list(tool, { least: 0 })),
    tool_choice: optional(
      byKind("a string or an object", {
        string: oneOf(["none", "auto", "required"]),
        object: anything,
      }),
    ),
    stream_options: optional(object({ include_usage: optional(flag) }, lenient)),
  },
  lenient,
);

/**
 * The interface as documented. Where a field's given type and its description contradict each other (`stream`
 * a number, `frequency_penalty` a boolean) both readings are accepted.
 */
export const documentRules: RequestRules = {
  refuseMediaType: () => undefined,
  body,
  refuseTogether: () => undefined,
  refuseOrder: () => undefined,
};
