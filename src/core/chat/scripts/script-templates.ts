import { isTemplate } from "../../template/templates.ts";
import type { ScriptProblem } from "./check-script.ts";
import type { Script, ScriptChoice } from "./script.ts";

/** A template in a script, and its place from the script down. */
interface ScriptTemplate {
  readonly path: ScriptProblem["path"];
  readonly text: string;
}

/** The variables of a script's templates. */
export const templateVariables: readonly string[] = [
  "user",
  "model",
  "messages",
  "match",
  "tables",
];

/** All templates of a script, to be checked before the script is used. */
export function templatesOf(script: Script): readonly ScriptTemplate[] {
  return script.replies
    .flatMap((reply, index) => [
      ...textsOf(reply, ["replies", index]),
      ...(reply.choices ?? []).flatMap((choice, place) =>
        textsOf(choice, ["replies", index, "choices", place]),
      ),
    ])
    .filter(({ text }) => isTemplate(text));
}

/** Whether a choice has templates. */
export function hasTemplates(choice: ScriptChoice): boolean {
  return textsOf(choice, []).some(({ text }) => isTemplate(text));
}

/** The parts of a choice that compose-steps.ts renders. */
function textsOf(choice: ScriptChoice, path: ScriptProblem["path"]): ScriptTemplate[] {
  const { content, reasoning, refusal, chunks, toolCalls } = choice;
  return [
    ...textsIn(content, [...path, "content"]),
    ...textsIn(reasoning, [...path, "reasoning"]),
    ...textsIn(refusal, [...path, "refusal"]),
    ...(chunks ?? []).flatMap((chunk, index) => {
      const place = [...path, "chunks", index];
      if (typeof chunk === "string") return textsIn(chunk, place);
      if ("reasoning" in chunk) return textsIn(chunk.reasoning, [...place, "reasoning"]);
      if (!("toolCall" in chunk)) return [];
      return textsIn(chunk.toolCall.arguments, [...place, "toolCall", "arguments"]);
    }),
    ...(toolCalls ?? []).flatMap((call, index) =>
      textsIn(call.arguments, [...path, "toolCalls", index, "arguments"]),
    ),
  ];
}

/** The texts in a JSON value, at any depth. */
function textsIn(value: unknown, path: ScriptProblem["path"]): ScriptTemplate[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textsIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
