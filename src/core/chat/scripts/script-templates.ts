import type { JsonPath } from "../../schema/json.ts";
import { isTemplate } from "../../template/templates.ts";
import type {
  Fault,
  FaultError,
  Script,
  ScriptChoice,
  ScriptReply,
  ScriptToolCall,
} from "./script.ts";

/** A text in a script, and its path from the script down. */
interface ScriptText {
  readonly path: JsonPath;
  readonly text: string;
}

/** The variables of a script's templates. */
export const templateVariables: readonly string[] = [
  "user",
  "model",
  "messages",
  "match",
  "request",
  "headers",
  "tools",
  "tables",
];

/** All templates of a script, to be checked before the script is used. */
export function templatesOf(script: Script): readonly ScriptText[] {
  return inReplies(script, renderedInReply, renderedInChoice);
}

/** Texts of a script that look like templates but are sent unchanged, in places beside others that are rendered. */
export function unrenderedIn(script: Script): readonly ScriptText[] {
  return inReplies(script, literalInReply, literalInChoice);
}

/** Whether a choice has templates. */
export function hasTemplates(choice: ScriptChoice): boolean {
  return renderedInChoice(choice, []).some(({ text }) => isTemplate(text));
}

function inReplies(
  { replies }: Script,
  ofReply: (reply: ScriptReply, path: JsonPath) => ScriptText[],
  ofChoice: (choice: ScriptChoice, path: JsonPath) => ScriptText[],
): readonly ScriptText[] {
  const all: readonly ScriptReply[] = replies;
  return all
    .flatMap((reply, index) => {
      const path = ["replies", index];
      return [
        ...ofReply(reply, path),
        ...ofChoice(reply, path),
        ...(reply.choices ?? []).flatMap((choice, place) =>
          ofChoice(choice, [...path, "choices", place]),
        ),
      ];
    })
    .filter(({ text }) => isTemplate(text));
}

/** The rendered parts of a reply that do not belong to its choices. */
function renderedInReply({ error, headers, fault }: ScriptReply, path: JsonPath): ScriptText[] {
  return [
    ...textsIn(headers, [...path, "headers"]),
    ...textsIn(error?.message, [...path, "error", "message"]),
    ...textsIn(fault?.error?.message, [...path, "fault", "error", "message"]),
  ];
}

/** The parts of a choice that are rendered. */
function renderedInChoice(choice: ScriptChoice, path: JsonPath): ScriptText[] {
  const { content, reasoning, refusal, chunks = [], toolCalls = [] } = choice;
  return [
    ...textsIn(content, [...path, "content"]),
    ...textsIn(reasoning, [...path, "reasoning"]),
    ...textsIn(refusal, [...path, "refusal"]),
    ...chunks.flatMap((chunk, index) => {
      const place = [...path, "chunks", index];
      if (typeof chunk === "string") return textsIn(chunk, place);
      if ("reasoning" in chunk) return textsIn(chunk.reasoning, [...place, "reasoning"]);
      if ("toolCall" in chunk) return renderedInCall(chunk.toolCall, [...place, "toolCall"]);
      if (!("fault" in chunk) || typeof chunk.fault === "string") return [];
      return textsIn(chunk.fault.error?.message, [...place, "fault", "error", "message"]);
    }),
    ...toolCalls.flatMap((call, index) => renderedInCall(call, [...path, "toolCalls", index])),
  ];
}

function renderedInCall(call: ScriptToolCall, path: JsonPath): ScriptText[] {
  if (call.type === "custom") return textsIn(call.input, [...path, "input"]);
  return textsIn(call.arguments, [...path, "arguments"]);
}

function literalInReply({ id, model, error, fault }: ScriptReply, path: JsonPath): ScriptText[] {
  return [
    ...textsIn(id, [...path, "id"]),
    ...textsIn(model, [...path, "model"]),
    ...literalInError(error, [...path, "error"]),
    ...literalInFault(fault, [...path, "fault"]),
  ];
}

function literalInChoice(choice: ScriptChoice, path: JsonPath): ScriptText[] {
  const { finishReason, chunks = [], toolCalls = [] } = choice;
  return [
    ...textsIn(finishReason, [...path, "finishReason"]),
    ...toolCalls.flatMap((call, index) => literalInCall(call, [...path, "toolCalls", index])),
    ...chunks.flatMap((chunk, index) => {
      const place = [...path, "chunks", index];
      if (typeof chunk === "string") return [];
      if ("toolCall" in chunk) return literalInCall(chunk.toolCall, [...place, "toolCall"]);
      if (!("fault" in chunk) || typeof chunk.fault === "string") return [];
      return literalInFault(chunk.fault, [...place, "fault"]);
    }),
  ];
}

function literalInCall({ id, name }: ScriptToolCall, path: JsonPath): ScriptText[] {
  return [...textsIn(id, [...path, "id"]), ...textsIn(name, [...path, "name"])];
}

function literalInFault(fault: Pick<Fault, "error"> | undefined, path: JsonPath): ScriptText[] {
  return literalInError(fault?.error, [...path, "error"]);
}

function literalInError(
  error: Omit<FaultError, "message"> | undefined,
  path: JsonPath,
): ScriptText[] {
  const { type, code, param } = error ?? {};
  return Object.entries({ type, code, param }).flatMap(([key, text]) =>
    textsIn(text, [...path, key]),
  );
}

/** The texts in a JSON value, at any depth. */
function textsIn(value: unknown, path: JsonPath): ScriptText[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
