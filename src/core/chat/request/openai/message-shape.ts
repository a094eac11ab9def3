import { functionName } from "../function-name.ts";
import { asObject, isPresent } from "../../../schema/json.ts";
import { atKey, earlier, missing, type Problem, type Shape, wrongType } from "../shape.ts";
import { byKind, list, object, optional, required, variants } from "../structure-shapes.ts";
import { anything, nullable, oneOf, text } from "../value-shapes.ts";
import { maybe, open } from "./object-rules.ts";

const string = text();
const stringOrParts = "a string or an array of parts";
const mostToolCalls = 128;

const textPart = object({ text: required(string) }, open);
const imagePart = object(
  {
    image_url: required(
      object({ url: required(string), detail: optional(oneOf(["auto", "low", "high"])) }, open),
    ),
  },
  open,
);
const audioPart = object(
  {
    input_audio: required(
      object({ data: required(string), format: required(oneOf(["wav", "mp3"])) }, open),
    ),
  },
  open,
);
const filePart = object(
  {
    file: required(
      object(
        { file_data: optional(string), file_id: optional(string), filename: optional(string) },
        open,
      ),
    ),
  },
  open,
);
const refusalPart = object({ refusal: required(string) }, open);

function contentOf(parts: Readonly<Record<string, Shape>>): Shape {
  return byKind(stringOrParts, { string: anything, array: list(variants("type", parts, open)) });
}

/** Content in which only text can stand. */
export const textContent: Shape = contentOf({ text: textPart });

const callId = text({ most: 40 });
const toolCall = variants(
  "type",
  {
    function: object(
      {
        id: required(callId),
        function: required(
          object({ name: required(functionName), arguments: required(string) }, open),
        ),
      },
      open,
    ),
    custom: object(
      {
        id: required(callId),
        custom: required(object({ name: required(functionName), input: required(string) }, open)),
      },
      open,
    ),
  },
  open,
);

const name = optional(
  text({ most: 64, pattern: /^[^\s<|\\/>]+$/, form: "without spaces and the signs < | \\ / >" }),
);

const assistant = object(
  {
    content: maybe(contentOf({ text: textPart, refusal: refusalPart })),
    refusal: maybe(string),
    name,
    audio: maybe(object({ id: required(string) }, open)),
    tool_calls: optional(list(toolCall, { most: mostToolCalls })),
    function_call: maybe(
      object({ name: required(functionName), arguments: required(string) }, open),
    ),
  },
  open,
);

/** Content may be left out or null where the message says what it has to say in another way. */
function missingContent(value: unknown): Problem | undefined {
  const given = asObject(value) ?? {};
  const others = ["content", "tool_calls", "function_call", "refusal", "audio"];
  if (others.some((key) => isPresent(given[key]))) return undefined;
  return given["content"] === null
    ? atKey("content", wrongType(stringOrParts, null))
    : missing("content");
}

const instructions = object({ content: required(textContent), name }, open);

/** A message of the conversation, by its role. */
export const message: Shape = variants(
  "role",
  {
    system: instructions,
    developer: instructions,
    user: object(
      {
        content: required(
          contentOf({
            text: textPart,
            image_url: imagePart,
            input_audio: audioPart,
            file: filePart,
          }),
        ),
        name,
      },
      open,
    ),
    assistant: (value) => earlier(assistant(value), missingContent(value)),
    tool: object({ content: required(textContent), tool_call_id: required(callId) }, open),
    function: object({ name: required(functionName), content: required(nullable(string)) }, open),
  },
  open,
);
