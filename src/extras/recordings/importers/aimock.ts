import { isExactGlob } from "../../../core/chat/matching/glob.ts";
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

/** A fixture of aimock as what a script has. Its values are as they were found: the format of scripts checks them at the end. */
interface AimockScript {
  readonly index: number;
  readonly when: When;
  /** Which of several answers to the same request it is, from 0. */
  readonly sequence: number | undefined;
  readonly reply: JsonObject;
}

/** The scripts of a file of aimock's fixtures, in one file of that name. */
export function importAimock(file: JsonObject, stem: string): Imported {
  const { list, tell } = createRemarks();
  const fixtures = listIn(file["fixtures"]);
  const callNames = callNamesIn(fixtures);
  const read = fixtures.flatMap((fixture, index) =>
    readFixture(fixture, index, {
      callNames,
      tell: (path, message) => tell(["fixtures", index, ...path], message),
    }),
  );
  const scripts = ordered(joinSequences(read), tell).flatMap(({ index, script }) =>
    checked(script, (message) => tell(["fixtures", index], message)),
  );
  const files = scripts.length === 0 ? [] : [jsonFile(`chats/${stem}.json`, scripts)];
  return { files, remarks: list };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

interface FixtureContext {
  /** The function that a call of an id is of. */
  readonly callNames: ReadonlyMap<unknown, unknown>;
  readonly tell: Tell;
}

function readFixture(given: unknown, index: number, context: FixtureContext): AimockScript[] {
  const fixture = asObject(given) ?? {};
  const match = asObject(fixture["match"]);
  if (match === undefined || asObject(fixture["response"]) === undefined) {
    context.tell(
      [],
      `left out: expected an object with "match" and "response", but found ${showValue(given)}`,
    );
    return [];
  }
  const when = whenOf(match, context);
  const reply = when === undefined ? undefined : readReply(fixture, context.tell);
  if (when === undefined || reply === undefined) return [];
  const { sequenceIndex: sequence } = match;
  return [{ index, when, sequence: typeof sequence === "number" ? sequence : undefined, reply }];
}

/** The names of the functions that the calls in a file are of, by the calls' ids. */
function callNamesIn(fixtures: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const calls = fixtures.flatMap((fixture) => {
    const { toolCalls, blocks } = asObject(asObject(fixture)?.["response"]) ?? {};
    return [...listIn(toolCalls), ...listIn(blocks)].map((call) => asObject(call) ?? {});
  });
  return new Map(calls.map(({ id, name }) => [id, name]));
}

type Condition = (value: unknown, context: FixtureContext) => When | undefined;

function ofText(when: (text: string) => When): Condition {
  return (value) => (typeof value === "string" ? when(value) : undefined);
}

/** What each condition of a `match` comes to; undefined where scripts have nothing for its value. */
const conditions: Readonly<Record<string, Condition>> = {
  userMessage: ofText((user) => ({ user })),
  systemMessage: (value) => {
    if (typeof value === "string") return { system: value };
    if (!Array.isArray(value) || !value.every((part) => typeof part === "string")) return undefined;
    // Each of the texts has to be there, in any order.
    const ahead = value.map((part) => `(?=[^]*${escapeRegex(part)})`);
    return { system: { regex: `^${ahead.join("")}` } };
  },
  toolName: ofText((tool) => ({ tool })),
  model: ofText((model) =>
    isExactGlob(model) && model !== "" ? { model } : { request: { model } },
  ),
  responseFormat: ofText((type) => ({ request: { "response_format.type": type } })),
  context: ofText((context) => ({ header: { "x-aimock-context": context } })),
  endpoint: (kind) => (kind === "chat" ? {} : undefined),
  sequenceIndex: (value) => (typeof value === "number" ? {} : undefined),
  turnIndex: (value, { tell }) => {
    if (typeof value !== "number") return undefined;
    tell([], "the turn must match exactly here; aimock falls back to the nearest one");
    return { turn: value };
  },
  hasToolResult: (value, { tell }) => {
    if (typeof value !== "boolean") return undefined;
    if (!value) return {};
    tell(
      [],
      "the result must be the last message here; aimock only needs it after the user's last message",
    );
    return { toolResult: {} };
  },
  toolResultContains: ofText((content) => ({ toolResult: { content } })),
  toolCallId: (id, { callNames, tell }) => {
    const name = callNames.get(id);
    const known = typeof name === "string" ? { name } : {};
    tell(
      [],
      `ids cannot be matched: the script answers any result of ${known.name === undefined ? "a tool, since no call of this id is in the file" : JSON.stringify(name)}`,
    );
    return { toolResult: known };
  },
};

/** The conditions of a script; undefined, and told, where no script has one of them: without it the script would answer more. */
function whenOf(match: JsonObject, { callNames, tell }: FixtureContext): When | undefined {
  let when: When = {};
  for (const [key, value] of Object.entries(match)) {
    const told: Tell = (path, message) => tell(["match", key, ...path], message);
    const condition = Object.hasOwn(conditions, key) ? conditions[key] : undefined;
    const found = condition?.(value, { callNames, tell: told });
    if (found === undefined) {
      told([], `left out: scripts have no such condition: ${showValue(value)}`);
      return undefined;
    }
    when = joinedWhen(when, found);
  }
  return when;
}

/** Both conditions as one. */
function joinedWhen(left: When, right: When): When {
  const joined: Record<string, unknown> = { ...left, ...right };
  for (const key of ["header", "request", "toolResult"] as const) {
    if (left[key] !== undefined) joined[key] = { ...left[key], ...right[key] };
  }
  return joined;
}

/** What a fixture answers as a script's reply; undefined, and told, where it is no chat completion. */
function readReply(fixture: JsonObject, tell: Tell): JsonObject | undefined {
  const {
    match: _,
    response: given,
    latency,
    chunkSize,
    streamingProfile,
    truncateAfterChunks,
    ...unknown
  } = fixture;
  const response = asObject(given) ?? {};
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
  const pace = paceOf(latency, asObject(streamingProfile));
  const fault =
    truncateAfterChunks === undefined
      ? {}
      : { fault: { kind: "reset", afterChunks: truncateAfterChunks } };
  const isPaced = [latency, chunkSize, streamingProfile, truncateAfterChunks].some(isPresent);
  // The size of a chunk decides how long they take together, and after which of them the stream breaks.
  return {
    ...said,
    ...(isPaced ? { pace: { ...pace, by: chunkSize ?? usualChunk } } : {}),
    ...fault,
  };
}

/** Characters in a chunk where a fixture does not say. */
const usualChunk = 20;

function paceOf(latency: unknown, profile: JsonObject | undefined): JsonObject {
  if (profile === undefined) return present({ firstTokenMs: latency, gapMs: latency });
  const { ttft, tps, jitter } = profile;
  return present({ firstTokenMs: ttft ?? latency, tokensPerSecond: tps, jitter });
}

/** Without what is not given: nothing, null and empty texts. */
function present(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => isPresent(value) && value !== ""),
  );
}

function errorOf({ error, status = 500, retryAfter }: JsonObject): JsonObject {
  const { message, type, code, param } = asObject(error) ?? {};
  const seconds = typeof retryAfter === "number" ? retryAfter : 1;
  const wait = status === 429 ? { retryAfterMs: seconds * 1000 } : {};
  return {
    error: {
      status,
      message: literalJson(message ?? ""),
      ...present({ type, code, param }),
      ...wait,
    },
  };
}

function replyOf(response: JsonObject, tell: Tell): JsonObject {
  const { id, model, usage, finishReason, reasoning, content, toolCalls, blocks, ...unknown } =
    response;
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
  };
}

/** Texts and calls in the order in which they are streamed. */
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
  readonly script: JsonObject & { readonly when: When };
}

/** Fixtures that answer one request in turn become one script with several replies. */
function joinSequences(read: readonly AimockScript[]): readonly IndexedScript[] {
  return read.flatMap(({ index, when, sequence, reply }): IndexedScript[] => {
    if (sequence === undefined) return [{ index, script: { when, reply } }];
    const key = canonicalJson(when);
    const turns = read.filter(
      (other) => other.sequence !== undefined && canonicalJson(other.when) === key,
    );
    if (turns[0]?.index !== index) return [];
    const inTurn = turns.toSorted((left, right) => (left.sequence ?? 0) - (right.sequence ?? 0));
    return [{ index, script: { when, replies: inTurn.map((one) => one.reply), after: "end" } }];
  });
}

/**
 * A script for the result of a tool comes before those that in aimock look for none: here these say nothing of it, and would take its
 * requests.
 */
function ordered(scripts: readonly IndexedScript[], tell: Tell): readonly IndexedScript[] {
  const isForResult = ({ script }: IndexedScript): boolean => script.when.toolResult !== undefined;
  const forResults = scripts.filter(isForResult);
  const others = scripts.filter((one) => !isForResult(one));
  for (const { index } of forResults) {
    const passed = others.find((other) => other.index < index);
    if (passed === undefined) continue;
    tell(
      ["fixtures", index],
      `its script comes before that of fixture ${passed.index}, which would answer tool results too`,
    );
  }
  return [...forResults, ...others];
}

/** A script as a file has it; what the format of scripts refuses is not written. */
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
