import type {
  Pace,
  ScriptChunk,
  ScriptReply,
  ScriptToolCall,
} from "../../../core/chat/scripts/script.ts";
import { showValue } from "../../../core/errors/show.ts";
import { type JsonValue, isObject } from "../../../core/schema/json.ts";
import { literalJson, literalText } from "../scripts/choice-script.ts";
import { usageScript } from "../scripts/reply-script.ts";
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

/** Characters in a chunk where a fixture does not say. */
const usualChunk = 20;

/** How fast a fixture's answer comes, and what goes wrong with it. */
function readTiming(fixture: Json, tell: Tell): Pick<ScriptReply, "pace" | "fault"> {
  const fault = faultOf(fixture, tell);
  const pace = paceOf(fixture, tell);
  const isCut = fault?.afterChunks !== undefined;
  const size = numberIn(fixture["chunkSize"]) ?? usualChunk;
  const isPaced = Object.keys(pace).length > 0 || isCut || fixture["chunkSize"] !== undefined;
  // What a chunk is decides how long they take together, and after which of them the stream breaks.
  const by = Number.isSafeInteger(size) && size >= 1 ? { by: size } : {};
  return {
    ...(isPaced ? { pace: { ...pace, ...by } } : {}),
    ...(fault === undefined ? {} : { fault }),
  };
}

function paceOf(fixture: Json, tell: Tell): Pace {
  const { streamingProfile: profile, recordedTimings: timings, latency, chaos } = fixture;
  const wait = isObject(chaos) ? (numberIn(chaos["latencyMs"]) ?? 0) : 0;
  const gap = numberIn(latency) ?? 0;
  if (isObject(profile)) return profilePace(profile, wait, gap);
  if (isObject(timings))
    return recordedPace(timings, { wait, speed: fixture["replaySpeed"] }, tell);
  return {
    ...(wait + gap > 0 ? { firstTokenMs: wait + gap } : {}),
    ...(gap > 0 ? { gapMs: gap } : {}),
  };
}

function profilePace(profile: Json, wait: number, gap: number): Pace {
  const { ttft, tps, jitter } = profile;
  const speed = numberIn(tps) ?? 0;
  const first = wait + (numberIn(ttft) ?? (speed > 0 ? 1000 / speed : gap));
  const share = Math.min(1, numberIn(jitter) ?? 0);
  return {
    ...(first > 0 ? { firstTokenMs: first } : {}),
    ...(speed > 0 ? { tokensPerSecond: speed } : gap > 0 ? { gapMs: gap } : {}),
    ...(share > 0 ? { jitter: share } : {}),
  };
}

function recordedPace(
  { ttftMs, interChunkDelaysMs: delays }: Json,
  { wait, speed }: { readonly wait: number; readonly speed: unknown },
  tell: Tell,
): Pace {
  const factor = numberIn(speed) ?? 1;
  const scaled = (ms: number): number => Math.round((factor > 0 ? ms / factor : ms) * 100) / 100;
  const gaps = Array.isArray(delays) ? delays.flatMap((ms) => numberIn(ms) ?? []) : [];
  const sum = gaps.reduce((total, ms) => total + ms, 0);
  const gap = gaps.length === 0 ? 0 : scaled(sum / gaps.length);
  const first = wait + scaled(numberIn(ttftMs) ?? 0);
  if (new Set(gaps).size > 1)
    tell(["recordedTimings"], "the gaps are all as long as they are on average");
  return { ...(first > 0 ? { firstTokenMs: first } : {}), ...(gap > 0 ? { gapMs: gap } : {}) };
}

function faultOf(fixture: Json, tell: Tell): ScriptReply["fault"] {
  const { truncateAfterChunks: after, disconnectAfterMs, openRouterProcessing } = fixture;
  if (disconnectAfterMs !== undefined) {
    tell(["disconnectAfterMs"], "no script can break off after a time: it was left out");
  }
  if (openRouterProcessing === true) {
    tell(["openRouterProcessing"], "the comments of OpenRouter were left out");
  }
  const byChance = chanceOf(fixture["chaos"], tell);
  const chunks = numberIn(after);
  if (chunks === undefined) return byChance;
  if (byChance !== undefined) tell(["chaos"], "left out: the script breaks off in any case");
  return { kind: "reset", afterChunks: Math.floor(chunks) };
}

/** The first of the faults that happen by chance: a script's reply has one. */
function chanceOf(chaos: unknown, tell: Tell): ScriptReply["fault"] {
  if (!isObject(chaos)) return undefined;
  const kinds = { disconnectRate: "reset", malformedRate: "malformed" } as const;
  let fault: ScriptReply["fault"];
  for (const [key, rate] of Object.entries(chaos)) {
    const probability = numberIn(rate);
    if (key === "latencyMs" || probability === 0) continue;
    const kind = key === "disconnectRate" || key === "malformedRate" ? kinds[key] : undefined;
    if (
      kind !== undefined &&
      probability !== undefined &&
      probability <= 1 &&
      fault === undefined
    ) {
      fault = { kind, probability };
    } else {
      tell(["chaos", key], "no script can say this besides: it was left out");
    }
  }
  return fault;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
