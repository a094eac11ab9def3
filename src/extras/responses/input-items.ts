import { longText, maybe } from "../../core/chat/request/message-schemas.ts";
import { isObject, isPresent } from "../../core/schema/json.ts";
import { object, optional, required } from "../../core/schema/objects.ts";
import type { Schema } from "../../core/schema/schema.ts";
import { byTag } from "../../core/schema/tagged-objects.ts";
import { arrayOf, byKind, jsonValue, oneOf, text } from "../../core/schema/values.ts";

const open = { isOpen: true };
const type = required(jsonValue);

const inputParts = {
  input_text: object({ type, text: required(text) }, open),
  input_image: object(
    {
      type,
      image_url: maybe(text),
      file_id: maybe(text),
      detail: maybe(oneOf(["low", "high", "auto", "original"])),
    },
    open,
  ),
  input_file: object({ type }, open),
};

const outputParts = {
  output_text: object({ type, text: required(text) }, open),
  refusal: object({ type, refusal: required(text) }, open),
};

const allParts: ReadonlySet<string> = new Set([
  ...Object.keys(inputParts),
  ...Object.keys(outputParts),
]);

/**
 * Content that is a text or parts of the given kinds. A part of a kind that only other contents may have is refused as
 * a whole; a part of an unknown kind is refused at its type.
 */
function contentOf(parts: Readonly<Record<string, Schema<unknown>>>): Schema<unknown> {
  const tagged = byTag<unknown>("type", parts);
  const kind = oneOf(Object.keys(parts));
  const part: Schema<unknown> = {
    check: (value, run) => {
      const found = isObject(value) ? value["type"] : undefined;
      const isOfOthers = typeof found === "string" && allParts.has(found);
      if (isOfOthers && !Object.hasOwn(parts, found)) kind.check(found, run);
      else tagged.check(value, run);
    },
    json: (refer) => tagged.json(refer),
  };
  return byKind("a string or an array of parts", { string: longText, array: arrayOf(part) });
}

const inputRoles = ["developer", "system", "user"] as const;
const inputMessage = object(
  { role: required(oneOf(inputRoles)), content: required(contentOf(inputParts)) },
  open,
);
const outputMessage = object(
  { role: required(oneOf(["assistant"])), content: required(contentOf(outputParts)) },
  open,
);

const roles = oneOf(["assistant", ...inputRoles]);

/** A message. Its role decides which parts it may have. */
const message: Schema<unknown> = {
  check: (value, run) => {
    if (!isObject(value)) return run.mustBe("an object", value);
    const { role } = value;
    if (!isPresent(role)) return run.report({ kind: "missing", key: "role" });
    roles.check(role, run);
    (role === "assistant" ? outputMessage : inputMessage).check(value, run);
  },
  json: (refer) => ({ anyOf: [inputMessage.json(refer), outputMessage.json(refer)] }),
};

const callOutput = object({ type, call_id: required(text), output: required(jsonValue) }, open);

const reasoningText = byTag<unknown>("type", {
  reasoning_text: object({ type, text: required(text) }, open),
});

const items: Readonly<Record<string, Schema<unknown>>> = {
  message,
  function_call: object(
    { type, call_id: required(text), name: required(text), arguments: required(text) },
    open,
  ),
  function_call_output: callOutput,
  custom_tool_call: object(
    { type, call_id: required(text), name: required(text), input: required(text) },
    open,
  ),
  custom_tool_call_output: callOutput,
  reasoning: object(
    { type, summary: optional(jsonValue), content: maybe(arrayOf(reasoningText)) },
    open,
  ),
  item_reference: object({ type, id: required(text) }, open),
  ...Object.fromEntries(
    [
      "additional_tools",
      "agent_message",
      "apply_patch_call",
      "apply_patch_call_output",
      "code_interpreter_call",
      "compaction",
      "compaction_trigger",
      "computer_call",
      "computer_call_output",
      "configuration_update",
      "file_search_call",
      "image_generation_call",
      "local_shell_call",
      "local_shell_call_output",
      "mcp_approval_request",
      "mcp_approval_response",
      "mcp_call",
      "mcp_list_tools",
      "program",
      "program_output",
      "shell_call",
      "shell_call_output",
      "tool_search_call",
      "tool_search_output",
      "web_search_call",
    ].map((name) => [name, object({ type }, open)]),
  ),
};

const typed = byTag<unknown>("type", items);
const itemTypes = oneOf(Object.keys(items));

/** The type of an item. A message may leave its type out, and so may a reference, which has only an id. */
export function itemType({ type: named, role, id }: Readonly<Record<string, unknown>>): unknown {
  if (isPresent(named)) return named;
  return role === undefined && typeof id === "string" ? "item_reference" : "message";
}

/** An item of a request's input. */
export const inputItem: Schema<unknown> = {
  check: (value, run) => {
    if (!isObject(value)) return run.mustBe("an object", value);
    const found = itemType(value);
    if (typeof found === "string" && !Object.hasOwn(items, found)) itemTypes.check(found, run);
    else typed.check({ ...value, type: found }, run);
  },
  json: (refer) => typed.json(refer),
};
