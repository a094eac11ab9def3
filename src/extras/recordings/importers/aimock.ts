import { isObject } from "../../../core/schema/json.ts";
import { check } from "../../../core/schema/schema.ts";
import { type ScriptInput, scriptSchema } from "../../../core/fixture-set/format/script-format.ts";
import { Findings } from "../../../core/schema/findings.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import { exemptFromFormat } from "../record/as-scripts/exempt-from-format.ts";
import type { ScriptReply } from "../../../core/chat/scripts/script.ts";
import { type AimockMatch, readMatch } from "./aimock-match.ts";
import { readReply } from "./aimock-reply.ts";
import { createRemarks, type Imported, jsonFile, type Tell } from "./imported.ts";
import { showValue } from "../../../core/errors/show.ts";

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
