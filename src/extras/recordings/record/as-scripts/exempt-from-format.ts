import { asObject } from "../../../../core/schema/json.ts";
import type { ScriptChoice, ScriptReply } from "../../../../core/chat/scripts/script.ts";
import type { ScriptInput } from "../../../../core/fixture-set/format/script-format.ts";

/**
 * A script whose `when` asks for JSON is refused where its content is none, since who writes that has made a mistake. What was
 * recorded is no mistake: a template, even of nothing, is not judged.
 */
export function exemptFromFormat(script: ScriptInput): ScriptInput {
  const { request = {} } = script.when ?? {};
  const type = request["response_format.type"];
  if (type !== "json_object" && type !== "json_schema") return script;
  const { reply, replies } = script;
  return {
    ...script,
    ...(reply === undefined ? {} : { reply: fit(reply) }),
    ...(replies === undefined ? {} : { replies: replies.map(fit) }),
  };
}

function fit(reply: ScriptReply): ScriptReply {
  return reply.choices === undefined
    ? opaque(reply)
    : { ...reply, choices: reply.choices.map(opaque) };
}

function opaque<Choice extends ScriptChoice>(choice: Choice): Choice {
  const { content } = choice;
  return typeof content === "string" && !isJsonObject(content)
    ? { ...choice, content: `{{ '' }}${content}` }
    : choice;
}

function isJsonObject(text: string): boolean {
  try {
    return asObject(JSON.parse(text)) !== undefined;
  } catch {
    return false;
  }
}
