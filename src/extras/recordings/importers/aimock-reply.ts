import type {
  ScriptChunk,
  ScriptReply,
  ScriptToolCall,
} from "../../../core/chat/scripts/script.ts";
import { isObject, type JsonValue } from "../../../core/schema/json.ts";
import { literalJson, literalText } from "../record/as-scripts/literal-text.ts";
import { usageScript } from "../record/as-scripts/said-usage.ts";
import { showValue } from "../../../core/errors/show.ts";
import { readTiming } from "./aimock-timing.ts";
import type { Tell } from "./imported.ts";

type Json = Readonly<Record<string, unknown>>;

/** What is said; a script cannot say the rest. */
const known = new Set([
  "content",
  "toolCalls",
  "blocks",
  "reasoning",
  "id",
  "model",
  "usage",
  "finishReason",
  "error",
  "status",
  "retryAfter",
]);

/** Reads what a fixture answers; undefined, and told, where it is no chat completion. */
export function readReply(fixture: Json, tell: Tell): ScriptReply | undefined {
  const response = isObject(fixture["response"]) ? fixture["response"] : {};
  const tellHere: Tell = (steps, message) => tell(["response", ...steps], message);
  const isError = isObject(response["error"]);
  const says = ["content", "toolCalls", "blocks"].some((key) => (response[key] ?? null) !== null);
  if (!isError && !says) {
    const [first = "nothing"] = Object.keys(response);
    tellHere([], `left out: it answers ${JSON.stringify(first)}, and no text, calls or error`);
    return undefined;
  }
  for (const key of Object.keys(response)) {
    if (!known.has(key)) tellHere([key], "no script can say this: it was left out");
  }
  const timing = readTiming(fixture, tell);
  const said = isError ? readError(response, tellHere) : readSaid(response, tellHere);
  return said === undefined ? undefined : { ...said, ...timing };
}

/** Statuses that go wrong. */
function readError(
  { error: given, status = 500, retryAfter }: Json,
  tell: Tell,
): ScriptReply | undefined {
  if (typeof status !== "number" || !Number.isInteger(status) || status < 400 || status > 599) {
    tell(
      ["status"],
      `left out: an error has a status from 400 to 599, and this is ${showValue(status)}`,
    );
    return undefined;
  }
  const { message, type, code, param } = isObject(given) ? given : {};
  // As aimock does.
  const seconds = typeof retryAfter === "number" ? retryAfter : 1;
  return {
    error: {
      status,
      message: textOf(message),
      ...(typeof type === "string" ? { type } : {}),
      ...(typeof code === "string" ? { code } : {}),
      ...(typeof param === "string" ? { param } : {}),
      ...(status === 429 ? { retryAfterMs: Math.max(0, seconds) * 1000 } : {}),
    },
  };
}

function readSaid(response: Json, tell: Tell): ScriptReply {
  const { id, model, usage, finishReason, reasoning, blocks } = response;
  const isInBlocks = Array.isArray(blocks) && blocks.length > 0;
  return {
    ...(isInBlocks ? readBlocks(blocks, reasoning, tell) : readParts(response, tell)),
    ...usageScript(usage, (message) => tell(["usage"], message)),
    ...(typeof finishReason === "string" && finishReason !== "" ? { finishReason } : {}),
    ...(typeof model === "string" && model !== "" ? { model } : {}),
    ...(typeof id === "string" && id !== "" ? { id } : {}),
  };
}

function readParts({ content, toolCalls, reasoning }: Json, tell: Tell): ScriptReply {
  const calls = Array.isArray(toolCalls)
    ? toolCalls.flatMap((call, index) =>
        readCall(call, (message) => tell(["toolCalls", index], message)),
      )
    : [];
  return {
    ...(typeof reasoning === "string" ? { reasoning: literalText(reasoning) } : {}),
    ...((content ?? null) === null ? {} : { content: contentOf(content) }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...((content ?? null) === null && calls.length === 0 ? { content: null } : {}),
  };
}

function contentOf(content: unknown): NonNullable<ScriptReply["content"]> {
  if (isObject(content) || Array.isArray(content)) {
    return literalJson(content as Readonly<Record<string, JsonValue>> | readonly JsonValue[]);
  }
  return literalText(textOf(content));
}

/** Texts and calls in the order in which they are streamed. */
function readBlocks(blocks: readonly unknown[], reasoning: unknown, tell: Tell): ScriptReply {
  const steps = blocks.flatMap((block, index): readonly ScriptChunk[] => {
    if (isObject(block) && block["type"] === "text") return [literalText(textOf(block["text"]))];
    const toolCalls = readCall(block, (message) => tell(["blocks", index], message));
    return toolCalls.map((toolCall) => ({ toolCall }));
  });
  const first: readonly ScriptChunk[] =
    typeof reasoning === "string" ? [{ reasoning: literalText(reasoning) }] : [];
  const chunks = [...first, ...steps];
  return chunks.length === 0 ? { content: null } : { chunks };
}

function readCall(call: unknown, refuse: (message: string) => void): readonly ScriptToolCall[] {
  const { id, name, arguments: given = "{}" } = isObject(call) ? call : {};
  if (typeof name !== "string" || name === "") {
    refuse("left out: a call has the name of a function");
    return [];
  }
  return [
    {
      ...(typeof id === "string" && id !== "" ? { id } : {}),
      name,
      arguments: isObject(given)
        ? literalJson(given as Readonly<Record<string, JsonValue>>)
        : literalText(typeof given === "string" ? given : JSON.stringify(given)),
    },
  ];
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
