import type { JsonObject } from "../request/chat-request.ts";
import { misfit, readJsonFormat } from "../scripts/json-format.ts";
import { cut } from "../show.ts";
import { type Step, textIn } from "./completion.ts";

/** For the log: what of an answer does not fit the form that was asked for; empty when all does. */
export async function remarkOnFormat(
  choices: readonly { readonly steps: readonly Step[]; readonly isCut: boolean }[],
  format: JsonObject,
): Promise<string> {
  const wanted = readJsonFormat(format);
  for (const { steps, isCut } of choices) {
    const text = textIn(steps, "content");
    // What was cut short is no longer what it was, and its finish reason says so.
    const problem = text === null || isCut ? undefined : await misfit(text, wanted);
    if (problem !== undefined) return ` (its content ${cut(problem)})`;
  }
  return "";
}
