import { counted } from "../../../core/errors/show.ts";
import { isObject, parseJsonText } from "../../../core/schema/json.ts";
import type { ScriptChoice, ScriptReply } from "../../../core/chat/scripts/script.ts";
import type { ChatRun } from "./run-chat.ts";

/** What the console that asked, or the journal, knows of an answer. */
export type ReceivedAnswer = Pick<
  ChatRun,
  "outcome" | "answer" | "frames" | "isStream" | "text" | "body"
>;

/** Says how much was received of an answer that broke off. */
export function receivedOf({ frames, isStream, text, answer }: ReceivedAnswer): string {
  const said = answer.choices.map(({ content }) => content).join("");
  const what = isStream ? counted(frames.length, "frame") : counted(text.length, "character");
  return said === "" ? what : `${what} with ${counted(said.length, "character")} of text`;
}

/** What is missing from an answer that broke off; empty for a whole one. `reply` is the script's reply, if known. */
export function missingFrom(
  { outcome, answer, frames, isStream, body }: ReceivedAnswer,
  reply: ScriptReply | undefined,
): readonly string[] {
  if (outcome === "pending" || outcome === "complete" || outcome === "refused") return [];
  const missing = answer.choices.flatMap((choice, index) => {
    const name = answer.choices.length > 1 ? ` of choice ${index}` : "";
    const planned = plannedText(reply?.choices?.[index % reply.choices.length] ?? reply ?? {});
    const rest = planned?.startsWith(choice.content) ? planned.slice(choice.content.length) : "";
    const calls = choice.toolCalls.filter(
      ({ isCustom, arguments: given }) => !isCustom && !parseJsonText(given).ok,
    );
    return [
      ...(rest === "" ? [] : [`the text${name} “${rest}”`]),
      ...calls.map(({ name: called }) => `the rest of the arguments of ${called}`),
      ...(choice.finishReason === undefined ? [`the finish reason${name}`] : []),
    ];
  });
  const options = body["stream_options"];
  const wantsUsage = isObject(options) && options["include_usage"] === true;
  if (answer.choices.length === 0) missing.push("the whole message");
  if (wantsUsage && answer.usage === undefined) missing.push("the usage");
  if (isStream && !frames.some(({ kind }) => kind === "done")) missing.push("[DONE]");
  return missing;
}

/** The text that a script would have sent; undefined if it is a template, which only the server can render. */
function plannedText({ content, chunks }: ScriptChoice): string | undefined {
  if (chunks !== undefined) return chunks.filter((chunk) => typeof chunk === "string").join("");
  const isPlain = typeof content === "string" && !/\{\{|\{%/.test(content);
  return isPlain ? content : undefined;
}
