import { type ChatMessage, type ChatRequest, lastUserText } from "../request/chat-request.ts";
import type { ChatContext } from "../context.ts";
import type { ScriptMatch } from "../matching/match-script.ts";
import { isPresent } from "../request/read.ts";
import type { MatchGroups } from "../scripts/text-matcher.ts";

/** What templates see. What few of them ask for is made when one does. */
export function templateScope(
  request: ChatRequest,
  findGroups: ScriptMatch["groups"],
  context: Pick<ChatContext, "templateScope">,
): object {
  let groups: MatchGroups | undefined;
  return {
    ...context.templateScope(),
    user: lastUserText(request) ?? "",
    model: request.model,
    get messages(): readonly object[] {
      return request.messages.map(messageForTemplates);
    },
    get match(): MatchGroups {
      groups ??= findGroups();
      return groups;
    },
  };
}

/** A message as it came, with the text that matchers see as its content; null when it has none. */
function messageForTemplates({ sent, text }: ChatMessage): object {
  return { ...sent, content: isPresent(sent["content"]) ? text : null };
}
