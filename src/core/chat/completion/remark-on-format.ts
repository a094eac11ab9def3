import type { JsonObject } from "../request/chat-request.ts";
import { misfit, readJsonFormat } from "../scripts/json-format.ts";
import { cut } from "../../errors/show.ts";
import { type Step, textIn } from "./completion.ts";

/**
 * For the log: what of an answer does not fit the form that was asked for; empty when all does. The form comes from
 * the request, which must not be able to hold up the server with it.
 */
export async function remarkOnFormat(
  choices: readonly { readonly steps: readonly Step[]; readonly isCut: boolean }[],
  format: JsonObject,
): Promise<string> {
  const wanted = readJsonFormat(format);
  for (const { steps, isCut } of choices) {
    const text = textIn(steps, "content");
    // What was cut short is no longer what it was, and its finish reason says so.
    if (text === null || isCut) continue;
    const found = await misfit(text, wanted, { trusted: false });
    if (found?.blames === "content") return ` (its content ${cut(found.problem)})`;
    if (found !== undefined) {
      return ` (its content cannot be judged: the schema ${cut(found.problem)})`;
    }
  }
  return "";
}
