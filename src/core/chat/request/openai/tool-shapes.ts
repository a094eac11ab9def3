import { functionName } from "../function-name.ts";
import type { Shape } from "../shape.ts";
import {
  byKind,
  dictionary,
  list,
  object,
  optional,
  required,
  variants,
} from "../structure-shapes.ts";
import { anything, flag, oneOf, text } from "../value-shapes.ts";
import { closed, maybe } from "./object-rules.ts";

const string = text();
const description = text({ most: 1024 });
const mostTools = 128;
const type = required(anything);

/** An object whose keys are not looked at, such as a JSON schema. */
export const anyObject: Shape = dictionary(anything);

const functionTool = object(
  {
    type,
    function: required(
      object(
        {
          name: required(functionName),
          description: optional(description),
          parameters: optional(anyObject),
          strict: maybe(flag),
        },
        closed,
      ),
    ),
  },
  closed,
);

const grammar = object(
  { definition: required(string), syntax: required(oneOf(["lark", "regex"])) },
  closed,
);

const customTool = object(
  {
    type,
    custom: required(
      object(
        {
          name: required(functionName),
          description: optional(string),
          format: optional(
            variants(
              "type",
              {
                text: object({ type }, closed),
                grammar: object({ type, grammar: required(grammar) }, closed),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** `tools`. */
export const tools: Shape = list(
  variants("type", { function: functionTool, custom: customTool }, closed),
  { most: mostTools },
);

const named = required(object({ name: required(string) }, closed));

const allowedTools = object(
  { mode: required(oneOf(["auto", "required"])), tools: required(list(anyObject)) },
  closed,
);

/** `tool_choice`: a word, or an object that names a tool. */
export const toolChoice: Shape = byKind("a string or an object", {
  string: oneOf(["none", "auto", "required"]),
  object: variants(
    "type",
    {
      function: object({ type, function: named }, closed),
      custom: object({ type, custom: named }, closed),
      allowed_tools: object({ type, allowed_tools: required(allowedTools) }, closed),
    },
    closed,
  ),
});

/** `functions`, which `tools` took the place of. */
export const functions: Shape = list(
  object(
    {
      name: required(functionName),
      description: optional(description),
      parameters: optional(anyObject),
    },
    closed,
  ),
  { most: mostTools },
);

/** `function_call`, which `tool_choice` took the place of. */
export const functionCall: Shape = byKind("a string or an object", {
  string: oneOf(["none", "auto"]),
  object: object({ name: required(string) }, closed),
});
