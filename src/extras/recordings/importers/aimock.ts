import { isExactGlob } from "../../../core/chat/matching/glob.ts";
import type { ScriptReply, When } from "../../../core/chat/scripts/script.ts";
import { showValue } from "../../../core/errors/show.ts";
import { type ScriptInput, scriptSchema } from "../../../core/fixture-set/format/script-format.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import { Findings } from "../../../core/schema/findings.ts";
import { isObject } from "../../../core/schema/json.ts";
import { check } from "../../../core/schema/schema.ts";
import { exemptFromFormat } from "../scripts/choice-script.ts";
import { readReply } from "./aimock-reply.ts";
import { type Imported, type Tell, createRemarks, jsonFile } from "./imported.ts";

/** A fixture of aimock as what a script has. */
interface AimockScript extends AimockMatch {
  readonly index: number;
  readonly reply: ScriptReply;
}

/** The scripts of a file of aimock's fixtures, in one file of that name. */
export function importAimock(file: Readonly<Record<string, unknown>>, stem: string): Imported {
  const { list, tell } = createRemarks();
  const fixtures: readonly unknown[] = Array.isArray(file["fixtures"]) ? file["fixtures"] : [];
  const callNames = callNamesIn(fixtures);
  const read = fixtures.flatMap((fixture, index) =>
    readFixture(fixture, index, { callNames, tell }),
  );
  const scripts = ordered(joinSequences(read, tell), tell).flatMap(({ index, ...script }) =>
    fitting(exemptFromFormat(script), index, tell),
  );
  const files = scripts.length === 0 ? [] : [jsonFile(`chats/${stem}.json`, scripts)];
  return { files, remarks: list };
}

interface FixtureContext {
  readonly callNames: ReadonlyMap<string, string>;
  readonly tell: Tell;
}

function readFixture(
  fixture: unknown,
  index: number,
  { callNames, tell }: FixtureContext,
): AimockScript[] {
  const path = ["fixtures", index];
  if (!isObject(fixture) || !isObject(fixture["match"]) || !isObject(fixture["response"])) {
    tell(path, `left out: a fixture has "match" and "response", and this is ${showValue(fixture)}`);
    return [];
  }
  const match = readMatch(fixture["match"], {
    callNames,
    tell: (steps, message) => tell([...path, "match", ...steps], message),
  });
  if (match === undefined) return [];
  const reply = readReply(fixture, (steps, message) => tell([...path, ...steps], message));
  return reply === undefined ? [] : [{ ...match, reply, index }];
}

/** The names of the functions that calls of some ids are of. */
function callNamesIn(fixtures: readonly unknown[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const fixture of fixtures) {
    const response = isObject(fixture) && isObject(fixture["response"]) ? fixture["response"] : {};
    const { toolCalls, blocks } = response;
    for (const call of [toolCalls, blocks].flatMap((items): unknown[] =>
      Array.isArray(items) ? items : [],
    )) {
      if (!isObject(call)) continue;
      const { id, name } = call;
      if (typeof id === "string" && typeof name === "string") names.set(id, name);
    }
  }
  return names;
}

interface IndexedScript extends ScriptInput {
  readonly index: number;
}

/** Fixtures that answer one request in turn become one script with several replies. */
function joinSequences(read: readonly AimockScript[], tell: Tell): readonly IndexedScript[] {
  const sequences = new Map<string, AimockScript[]>();
  for (const script of read) {
    if (script.sequence === undefined) continue;
    const key = canonicalJson(script.when);
    sequences.set(key, [...(sequences.get(key) ?? []), script]);
  }
  return read.flatMap(({ when, reply, sequence, index }): IndexedScript[] => {
    const given = Object.keys(when).length === 0 ? {} : { when };
    if (sequence === undefined) return [{ index, ...given, reply }];
    const all = sequences.get(canonicalJson(when)) ?? [];
    if (all[0]?.index !== index) return [];
    const inTurn = all.toSorted((left, right) => (left.sequence ?? 0) - (right.sequence ?? 0));
    const [first, ...rest] = inTurn.map((one) => one.reply);
    if (first === undefined) return [];
    if (inTurn.some((one, place) => one.sequence !== place)) {
      tell(
        ["fixtures", index, "match", "sequenceIndex"],
        "the numbers have gaps, or begin later than 0: the replies come one after the other without them",
      );
    }
    return [{ index, ...given, replies: [first, ...rest], after: "end" }];
  });
}

/**
 * A script for the result of a tool comes before those that in aimock look for none: here these say nothing of it, and would take its
 * requests.
 */
function ordered(scripts: readonly IndexedScript[], tell: Tell): readonly IndexedScript[] {
  const forResults = scripts.filter(({ when }) => when?.toolResult !== undefined);
  const others = scripts.filter(({ when }) => when?.toolResult === undefined);
  const moved = [...forResults, ...others];
  for (const [place, script] of forResults.entries()) {
    const passed = others.find(({ index }) => index < script.index);
    if (passed === undefined || scripts[place] === script) continue;
    tell(
      ["fixtures", script.index],
      `its script comes before that of fixture ${passed.index}, which would answer results of tools, too`,
    );
  }
  return moved;
}

/** What the format of scripts refuses is not written. */
function fitting(script: ScriptInput, index: number, tell: Tell): readonly ScriptInput[] {
  const findings = new Findings();
  check(scriptSchema, script, { path: [], findings });
  const [first] = findings.list;
  if (first === undefined) return [script];
  tell(["fixtures", index], `left out: ${first.message}`);
  return [];
}

/** What a fixture of aimock answers. */
interface AimockMatch {
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
function readMatch(match: Match, context: MatchContext): AimockMatch | undefined {
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
