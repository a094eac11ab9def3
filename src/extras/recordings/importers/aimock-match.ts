import type { When } from "../../../core/chat/scripts/script.ts";
import { isExactGlob } from "../../../core/chat/matching/glob.ts";
import { showValue } from "../../../core/errors/show.ts";
import type { Tell } from "./imported.ts";

/** What a fixture of aimock answers. */
export interface AimockMatch {
  readonly when: When;
  /** Which of several answers to the same it is, from 0. */
  readonly sequence: number | undefined;
}

interface MatchContext {
  /** The function that a call of an id is of. */
  readonly callNames: ReadonlyMap<string, string>;
  readonly tell: Tell;
}

type Match = Readonly<Record<string, unknown>>;

/** Reads a `match`; undefined, and told, where scripts answer no such request. */
export function readMatch(match: Match, context: MatchContext): AimockMatch | undefined {
  const { tell } = context;
  const { endpoint = "chat", sequenceIndex } = match;
  if (endpoint !== "chat") {
    tell(
      ["endpoint"],
      `left out: it is for ${showValue(endpoint)}, and only chat completions are answered`,
    );
    return undefined;
  }
  if (match["inputText"] !== undefined) {
    tell(["inputText"], "left out: it is for embeddings, which are not answered");
    return undefined;
  }
  const unknown = Object.keys(match).find((key) => !knownKeys.has(key));
  if (unknown !== undefined) {
    tell(
      [unknown],
      "left out: nothing is known of this condition, and without it the script would answer more",
    );
    return undefined;
  }
  const wrong = Object.entries(match).find(([key, value]) => typeOf(value) !== knownKeys.get(key));
  if (wrong !== undefined && !(wrong[0] === "systemMessage" && Array.isArray(wrong[1]))) {
    tell(
      [wrong[0]],
      `left out: it has to be a ${knownKeys.get(wrong[0])}, and is ${showValue(wrong[1])}`,
    );
    return undefined;
  }
  const sequence = typeof sequenceIndex === "number" ? sequenceIndex : undefined;
  return { when: whenOf(match, context), sequence };
}

const knownKeys: ReadonlyMap<string, string> = new Map([
  ["userMessage", "string"],
  ["systemMessage", "string"],
  ["toolCallId", "string"],
  ["toolResultContains", "string"],
  ["toolName", "string"],
  ["model", "string"],
  ["responseFormat", "string"],
  ["sequenceIndex", "number"],
  ["turnIndex", "number"],
  ["hasToolResult", "boolean"],
  ["endpoint", "string"],
  ["context", "string"],
]);

function typeOf(value: unknown): string {
  return typeof value;
}

function whenOf(match: Match, context: MatchContext): When {
  const { userMessage, toolName, model, turnIndex, context: header, responseFormat } = match;
  if (typeof turnIndex === "number") {
    context.tell(
      ["turnIndex"],
      "the turn is exact here; aimock takes the nearest one where there is no other",
    );
  }
  const isGlob = typeof model === "string" && (!isExactGlob(model) || model === "");
  const request = {
    ...(isGlob ? { model } : {}),
    ...(typeof responseFormat === "string" ? { "response_format.type": responseFormat } : {}),
  };
  return {
    ...(typeof model === "string" && !isGlob ? { model } : {}),
    ...(typeof userMessage === "string" ? { user: userMessage } : {}),
    ...systemOf(match),
    ...(typeof turnIndex === "number" ? { turn: turnIndex } : {}),
    ...(typeof toolName === "string" ? { tool: toolName } : {}),
    ...toolResultOf(match, context),
    ...(typeof header === "string" ? { header: { "x-aimock-context": header } } : {}),
    ...(Object.keys(request).length === 0 ? {} : { request }),
  };
}

/** Of several texts each has to be there. */
function systemOf({ systemMessage }: Match): Pick<When, "system"> {
  if (typeof systemMessage === "string") return { system: systemMessage };
  if (!Array.isArray(systemMessage) || systemMessage.length === 0) return {};
  const parts = systemMessage.map(String);
  const [only = ""] = parts;
  if (parts.length === 1) return { system: only };
  const ahead = parts.map((part) => `(?=[^]*${part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")})`);
  return { system: { regex: `^${ahead.join("")}` } };
}

function toolResultOf(match: Match, { callNames, tell }: MatchContext): Pick<When, "toolResult"> {
  const { toolCallId, toolResultContains: content, hasToolResult } = match;
  const name = typeof toolCallId === "string" ? callNames.get(toolCallId) : undefined;
  if (typeof toolCallId === "string") {
    tell(
      ["toolCallId"],
      name === undefined
        ? "no id can be asked for, and no call of this id is in the file: the script answers any result of a tool"
        : `no id can be asked for: the script answers any result of ${JSON.stringify(name)}, which this call is of`,
    );
  }
  const isAsked = toolCallId !== undefined || content !== undefined || hasToolResult === true;
  if (hasToolResult === true) {
    tell(
      ["hasToolResult"],
      "the result has to be the last message here, and not only behind the user's last one",
    );
  }
  if (!isAsked) return {};
  return {
    toolResult: {
      ...(name === undefined ? {} : { name }),
      ...(typeof content === "string" ? { content } : {}),
    },
  };
}
