import type { When } from "../../../core/chat/scripts/script.ts";
import { showValue } from "../../../core/errors/show.ts";
import { type ScriptInput, scriptSchema } from "../../../core/fixture-set/format/script-format.ts";
import { canonicalJson } from "../replay/request-key.ts";
import { Findings, check } from "../../../core/schema/schema.ts";
import { type JsonObject, asObject, isPresent, showPath } from "../../../core/schema/json.ts";
import { literalJson } from "../scripts/choice-script.ts";
import { escapeRegex } from "../scripts/conditions.ts";
import { usageScript } from "../scripts/reply-script.ts";
import { type Imported, type Tell, createRemarks, jsonFile } from "./imported.ts";

/**
 * A fixture of aimock, converted to the keys of a script. Its values are unchecked: the format of scripts checks them
 * at the end.
 */
interface AimockScript {
  readonly index: number;
  readonly when: When;
  /** The number of the fixture's answer among several to the same request, from 0. */
  readonly sequence: number | undefined;
  /** The turn of the conversation that the fixture is meant for. */
  readonly turn: number | undefined;
  readonly reply: JsonObject;
}

/** Converts a file of aimock's fixtures to a file of scripts with the same name. */
export function importAimock(file: JsonObject, stem: string): Imported {
  const { list, tell } = createRemarks();
  const fixtures = listIn(file["fixtures"]);
  const read = fixtures.flatMap((fixture, index) =>
    readFixture(fixture, index, (path, message) => tell(["fixtures", index, ...path], message)),
  );
  const scripts = joinTurns(joinSequences(read), tell).flatMap(({ index, script }) =>
    checked(script, (message) => tell(["fixtures", index], message)),
  );
  const files = scripts.length === 0 ? [] : [jsonFile(`chats/${stem}.json`, scripts)];
  return { files, remarks: list };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readFixture(given: unknown, index: number, tell: Tell): AimockScript[] {
  const fixture = withoutComments(asObject(given) ?? {});
  const match = asObject(fixture["match"]);
  if (match === undefined || asObject(fixture["response"]) === undefined) {
    tell(
      [],
      `left out: expected an object with "match" and "response", but found ${showValue(given)}`,
    );
    return [];
  }
  const when = whenOf(withoutComments(match), tell);
  const reply = when === undefined ? undefined : readReply(fixture, tell);
  if (when === undefined || reply === undefined) return [];
  const { sequenceIndex, turnIndex } = match;
  return [{ index, when, sequence: numberIn(sequenceIndex), turn: numberIn(turnIndex), reply }];
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** An object without the keys of comments and editors: `_comment`, `//`, `$schema`. */
function withoutComments(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !/^(?:_|\/\/|\$)/.test(key)));
}

type Condition = (value: unknown, tell: Tell) => When | undefined;

function ofText(when: (text: string) => When): Condition {
  return (value) => (typeof value === "string" ? when(value) : undefined);
}

/** Converts each condition of a `match`; undefined if scripts have no condition for its value. */
const conditions: Readonly<Record<string, Condition>> = {
  userMessage: ofText((user) => ({ user })),
  systemMessage: (value) => {
    if (typeof value === "string") return { system: value };
    if (!Array.isArray(value) || !value.every((part) => typeof part === "string")) return undefined;
    // All of the texts must occur, in any order.
    const ahead = value.map((part) => `(?=[^]*${escapeRegex(part)})`);
    return { system: { regex: `^${ahead.join("")}` } };
  },
  toolName: ofText((tool) => ({ tool })),
  // A dated version of the model matches as well.
  model: ofText((model) => ({
    request: { model: { regex: `^${escapeRegex(model)}(?:-\\d[^]*)?$` } },
  })),
  responseFormat: ofText((type) => ({ request: { "response_format.type": type } })),
  context: ofText((context) => ({ header: { "x-aimock-context": context } })),
  endpoint: (kind) => (kind === "chat" ? {} : undefined),
  sequenceIndex: (value) => (typeof value === "number" ? {} : undefined),
  turnIndex: (value) => (typeof value === "number" ? {} : undefined),
  hasToolResult: (value, tell) => {
    if (typeof value !== "boolean") return undefined;
    tell(
      [],
      "only the last message is looked at; in aimock the result may be anywhere after the user's last message",
    );
    return value ? { toolResult: {} } : { request: { "messages.-1.role": { not: "tool" } } };
  },
  toolResultContains: ofText((content) => ({ toolResult: { content } })),
  toolCallId: ofText((id) => ({ toolResult: { id } })),
};

/**
 * The conditions of a script. Undefined, with a remark, if scripts lack one of them: without it the script would answer
 * more requests.
 */
function whenOf(match: JsonObject, tell: Tell): When | undefined {
  let when: When = {};
  for (const [key, value] of Object.entries(match)) {
    const told: Tell = (path, message) => tell(["match", key, ...path], message);
    const condition = Object.hasOwn(conditions, key) ? conditions[key] : undefined;
    const found = condition?.(value, told);
    if (found === undefined) {
      told([], `left out: scripts have no such condition: ${showValue(value)}`);
      return undefined;
    }
    when = joinedWhen(when, found);
  }
  return when;
}

/** Two sets of conditions joined into one. */
function joinedWhen(left: When, right: When): When {
  const joined: Record<string, unknown> = { ...left, ...right };
  for (const key of ["header", "request", "toolResult"] as const) {
    if (left[key] !== undefined) joined[key] = { ...left[key], ...right[key] };
  }
  return joined;
}

/** The answer of a fixture as a script's reply. Undefined, with a remark, if the answer is no chat completion. */
function readReply(fixture: JsonObject, tell: Tell): JsonObject | undefined {
  const {
    match: _,
    response: given,
    latency,
    chunkSize,
    streamingProfile,
    truncateAfterChunks,
    disconnectAfterMs,
    recordedTimings,
    replaySpeed,
    // Fingerprints of the recorded request, which are not needed.
    metadata: __,
    ...unknown
  } = fixture;
  const response = withoutComments(asObject(given) ?? {});
  const isError = asObject(response["error"]) !== undefined;
  if (!isError && !["content", "toolCalls", "blocks"].some((key) => isPresent(response[key]))) {
    const [first = "nothing"] = Object.keys(response);
    tell(
      ["response"],
      `left out: it answers ${JSON.stringify(first)}, which is not text, calls or an error`,
    );
    return undefined;
  }
  for (const key of Object.keys(unknown)) tell([key], "left out: scripts have no equivalent");
  const said = isError ? errorOf(response) : replyOf(response, tell);
  const timings = asObject(recordedTimings);
  const pace =
    timings !== undefined && !isPresent(streamingProfile)
      ? recordedPace(timings, replaySpeed)
      : paceOf(latency, asObject(streamingProfile));
  const isPaced = [
    latency,
    chunkSize,
    streamingProfile,
    timings,
    truncateAfterChunks,
    disconnectAfterMs,
  ].some(isPresent);
  // The size of chunks decides how long they all take, and where the stream breaks off.
  return {
    ...said,
    ...(isPaced ? { pace: { ...pace, by: chunkSize ?? usualChunk } } : {}),
    ...faultOf(truncateAfterChunks, disconnectAfterMs),
  };
}

/** The fault that breaks the stream: after a number of chunks, if that is given, else after a time. */
function faultOf(afterChunks: unknown, afterMs: unknown): JsonObject {
  if (isPresent(afterChunks)) return { fault: { kind: "reset", afterChunks } };
  return isPresent(afterMs) ? { fault: { kind: "reset", afterMs } } : {};
}

/**
 * The pace by recorded times: the first time as recorded, and the mean of the others, since the number of pieces may
 * differ.
 */
function recordedPace(
  { ttftMs, interChunkDelaysMs }: JsonObject,
  replaySpeed: unknown,
): JsonObject {
  const speed = typeof replaySpeed === "number" && replaySpeed > 0 ? replaySpeed : 1;
  const gaps = listIn(interChunkDelaysMs).filter((gap) => typeof gap === "number");
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  return present({
    firstTokenMs: typeof ttftMs === "number" ? Math.round(ttftMs / speed) : undefined,
    gapMs: gaps.length === 0 ? undefined : Math.round(total / gaps.length / speed),
  });
}

/** The number of characters in a chunk if a fixture does not give it. */
const usualChunk = 20;

function paceOf(latency: unknown, profile: JsonObject | undefined): JsonObject {
  if (profile === undefined) return present({ firstTokenMs: latency, gapMs: latency });
  const { ttft, tps, jitter } = profile;
  return present({ firstTokenMs: ttft ?? latency, tokensPerSecond: tps, jitter });
}

/** An object without the keys whose value is undefined, null or an empty text. */
function present(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => isPresent(value) && value !== ""),
  );
}

function errorOf({ error, status = 500, retryAfter }: JsonObject): JsonObject {
  const { message, type, code, param, metadata } = asObject(error) ?? {};
  const seconds = typeof retryAfter === "number" ? retryAfter : 1;
  const wait = status === 429 ? { retryAfterMs: seconds * 1000 } : {};
  return {
    error: {
      status,
      message: literalJson(message ?? ""),
      ...present({ type, code, param }),
      ...(asObject(metadata) === undefined ? {} : { extra: { metadata } }),
      ...wait,
    },
  };
}

function replyOf(response: JsonObject, tell: Tell): JsonObject {
  const { id, model, usage, finishReason, reasoning, content, toolCalls, blocks, ...others } =
    response;
  const { systemFingerprint, created, ...unknown } = others;
  const body = present({ system_fingerprint: systemFingerprint, created });
  for (const key of Object.keys(unknown)) {
    tell(["response", key], "left out: scripts have no equivalent");
  }
  const calls = listIn(toolCalls).map(callOf);
  const spoken =
    listIn(blocks).length > 0
      ? {
          chunks: [
            ...(isPresent(reasoning) ? [{ reasoning }] : []),
            ...listIn(blocks).map(chunkOf),
          ],
        }
      : {
          ...present({ reasoning }),
          ...(calls.length > 0
            ? { ...present({ content }), toolCalls: calls }
            : { content: content ?? null }),
        };
  return {
    ...literalJson(spoken),
    ...usageScript(usage, (message) => tell(["response", "usage"], message)),
    ...present({ finishReason, model, id }),
    ...(Object.keys(body).length === 0 ? {} : { extra: { body } }),
  };
}

/** A text or a call as a chunk of a script. Chunks keep the order in which they are streamed. */
function chunkOf(block: unknown): unknown {
  const { type, text } = asObject(block) ?? {};
  return type === "text" ? text : { toolCall: callOf(block) };
}

function callOf(call: unknown): JsonObject {
  const { id, name, arguments: given = "{}" } = asObject(call) ?? {};
  return { ...present({ id }), name, arguments: given };
}

interface IndexedScript {
  readonly index: number;
  readonly turn: number | undefined;
  readonly script: JsonObject & { readonly when: When };
}

/** Fixtures that answer one request in turn become one script with several replies. */
function joinSequences(read: readonly AimockScript[]): readonly IndexedScript[] {
  return read.flatMap(({ index, when, turn, sequence, reply }): IndexedScript[] => {
    if (sequence === undefined) return [{ index, turn, script: { when, reply } }];
    const key = canonicalJson(when);
    const turns = read.filter(
      (other) =>
        other.sequence !== undefined && other.turn === turn && canonicalJson(other.when) === key,
    );
    if (turns[0]?.index !== index) return [];
    const inTurn = turns.toSorted((left, right) => (left.sequence ?? 0) - (right.sequence ?? 0));
    return [
      { index, turn, script: { when, replies: inTurn.map((one) => one.reply), after: "end" } },
    ];
  });
}

/**
 * Fixtures that differ only in the turn become one script with a reply for each turn. For a turn without a fixture,
 * aimock takes that of the last turn before it or, before the first, the first one.
 */
function joinTurns(scripts: readonly IndexedScript[], tell: Tell): readonly IndexedScript[] {
  return scripts.flatMap((one): IndexedScript[] => {
    const { index, script, turn } = one;
    if (turn === undefined) return [one];
    const key = canonicalJson(script.when);
    const others = scripts.filter(
      (other) => other.turn === undefined || canonicalJson(other.script.when) !== key,
    );
    const inTurn = scripts
      .filter((other) => !others.includes(other))
      .toSorted((left, right) => (left.turn ?? 0) - (right.turn ?? 0));
    const rivals = others.filter((other) => mayMeet(script.when, other.script.when));
    if (!canJoin(inTurn, rivals)) {
      tell(
        ["fixtures", index, "match", "turnIndex"],
        "the turn must match exactly here; aimock falls back to the nearest one",
      );
      return [{ index, turn, script: { ...script, when: { ...script.when, turn } } }];
    }
    const isFirstInFile = inTurn.every((other) => other.index >= index);
    return isFirstInFile ? [{ index, turn, script: byTurn(script.when, inTurn) }] : [];
  });
}

/**
 * Whether one script can answer all these turns. It cannot if other scripts may answer turns before the first or
 * between them.
 */
function canJoin(inTurn: readonly IndexedScript[], rivals: readonly IndexedScript[]): boolean {
  const hasFirst = (inTurn[0]?.turn ?? 0) <= 0;
  const isSingle = inTurn.every(({ script }) => script["reply"] !== undefined);
  const isSmall = (inTurn.at(-1)?.turn ?? 0) <= mostTurns;
  return (
    isSingle &&
    isSmall &&
    rivals.every(({ turn }) => turn === undefined) &&
    (hasFirst || rivals.length === 0)
  );
}

/**
 * The most turns that one script answers. No conversation of fixtures is longer, and each turn is a reply in the file.
 */
const mostTurns = 200;

/** Whether a request may fit both conditions: they do not ask for different texts, ids or tools. */
function mayMeet(one: When, other: When): boolean {
  if (differ(one.user, other.user) || differ(one.toolResult?.id, other.toolResult?.id))
    return false;
  return one.tool === undefined || other.tool === undefined || one.tool === other.tool;
}

function differ(one: unknown, other: unknown): boolean {
  return (
    typeof one === "string" &&
    typeof other === "string" &&
    !one.includes(other) &&
    !other.includes(one)
  );
}

function byTurn(when: When, inTurn: readonly IndexedScript[]): IndexedScript["script"] {
  const [first, ...more] = inTurn;
  const last = Math.max(0, inTurn.at(-1)?.turn ?? 0);
  if (more.length === 0) return { when, reply: first?.script["reply"] };
  const replies = Array.from({ length: last + 1 }, (_, turn) => {
    const reached = inTurn.findLast((one) => (one.turn ?? 0) <= turn) ?? first;
    return reached?.script["reply"];
  });
  return { when, replies, count: "turn" };
}

/** A script as it is written to a file; undefined, with a remark, if the format of scripts refuses it. */
function checked(
  { when, ...answer }: IndexedScript["script"],
  tell: (message: string) => void,
): readonly ScriptInput[] {
  const script = { ...(Object.keys(when).length === 0 ? {} : { when }), ...answer } as ScriptInput;
  const findings = new Findings();
  check(scriptSchema, script, { path: [], findings });
  const [first] = findings.list;
  if (first === undefined) return [script];
  tell(`left out: no script can express its ${showPath(first.path)}: ${first.message}`);
  return [];
}
