import { generationOptions } from "../../../core/chat/request/chat-request.ts";
import type { ScriptChoice, ScriptReply } from "../../../core/chat/scripts/script.ts";
import { estimateTokenizer } from "../../../core/chat/tokens/pieces.ts";
import { type ScriptInput, scriptSchema } from "../../../core/fixture-set/format/script-format.ts";
import {
  type NamedCassette,
  type RecordingRules,
  usualRecordingRules,
  type Recording,
} from "../../../core/replay/cassette.ts";
import { type CompiledRules, compileRules } from "../../../core/replay/recording-rules.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import { isValid } from "../../../core/schema/schema.ts";
import { groupBy } from "../../../core/replay/group-by.ts";
import { type ImportedFile, jsonFile, type Tell } from "../importers/imported.ts";
import { type SameChats, hasPlaceholders, distinguish } from "./conditions.ts";
import type { Remark } from "./read-completion.ts";
import { type RecordedChat, readChat } from "./recorded-chat.ts";
import { replyScript } from "./reply-script.ts";
import { decodedPart } from "../../../core/http/url-parts.ts";
import { bodyText } from "../../../core/replay/recorded-body.ts";
import { asObject, parseJson, showPath } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { type ImportedTable, validRows, tableFiles } from "../importers/table-files.ts";

/** What recordings come to as fixtures. */
interface RecordedFixtures {
  /** Those of chats in the order in which they are tried. */
  readonly files: readonly ImportedFile[];
  /** What could not be taken over, with the place in the recordings. */
  readonly remarks: readonly string[];
}

/**
 * Makes scripts and tables of recordings: a file for each conversation, and for each table the rows that were seen. Scripts ask
 * for what the user said, and besides for no more than tells a request apart from all others.
 */
export function toFixtures(
  cassettes: readonly NamedCassette[],
  rules: RecordingRules = usualRecordingRules,
): RecordedFixtures {
  const remarks = new Set<string>();
  const remark = (message: string): void => void remarks.add(message);
  const of = (kind: NamedCassette["interface"]): readonly NamedCassette[] =>
    cassettes.filter((cassette) => cassette.interface === kind);
  const scripts = placedScripts(of("chat"), compileRules(rules), remark);
  const files = [...scriptFiles(scripts, remark), ...recordedTables(of("rest"), remark)];
  return { files, remarks: [...remarks] };
}

/** A script, the requests that it answers, and those whose scripts have to come before it. */
interface PlacedScript {
  readonly script: ScriptInput;
  readonly answers: SameChats;
  readonly after: readonly SameChats[];
}

/** The scripts that answer as the recorded conversations went. */
function placedScripts(
  cassettes: readonly NamedCassette[],
  rules: CompiledRules,
  remark: Remark,
): readonly PlacedScript[] {
  const chats = cassettes.flatMap((cassette) =>
    cassette.recordings.flatMap((recording, index) => {
      const place = { cassette: cassette.name, number: index + 1 };
      const read = readChat(recording, place, rules);
      if (typeof read !== "string") return [read];
      remark(`${place.cassette}, recording ${place.number}: left out: ${read}`);
      return [];
    }),
  );
  const groups = sameChats(chats);
  const byWords = groupBy(groups, ({ first }) => first.view.userTexts[0]);
  return groups.flatMap((same) => {
    const [words] = same.first.view.userTexts;
    // Whole words hold for the same words only: most others need not be looked at.
    const isWhole = words !== undefined && !hasPlaceholders(words, rules);
    const near = isWhole ? (byWords.get(words) ?? []) : groups;
    const others = near.filter((other) => other !== same);
    return placeScript(same, others, { rules, remark });
  });
}

/** Requests that are equal in all that a script can see. */
function sameChats(chats: readonly RecordedChat[]): readonly SameChats[] {
  const groups = groupBy(chats, ({ steady, headers }) => canonicalJson([steady, headers]));
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ first, all }];
  });
}

function placeScript(
  same: SameChats,
  others: readonly SameChats[],
  { rules, remark }: { readonly rules: CompiledRules; readonly remark: Remark },
): readonly PlacedScript[] {
  const replies = same.all.flatMap((chat) => replyTo(chat, remark) ?? []);
  const [first, ...rest] = withoutRepeats(replies);
  if (first === undefined) return [];
  const { when, alsoHoldsFor } = distinguish(same, others, rules);
  const script: ScriptInput = {
    ...(Object.keys(when).length === 0 ? {} : { when }),
    ...(rest.length === 0 ? { reply: first } : { replies: [first, ...rest] }),
  };
  return [{ script, answers: same, after: alsoHoldsFor }];
}

function replyTo(chat: RecordedChat, remark: Remark): ScriptReply | undefined {
  const { cassette, number, view, recording } = chat;
  const told = (message: string): void => remark(`${cassette}, recording ${number}: ${message}`);
  const reply = replyScript(recording.answer, view.request, told);
  if (reply === undefined) return undefined;
  if (!isValid(scriptSchema, { reply })) {
    told("left out: its answer has values that scripts cannot express");
    return undefined;
  }
  remarkOnLength(chat, reply, told);
  return reply;
}

/** A real service counts tokens otherwise, so that an answer which it ended might be ended sooner here. */
function remarkOnLength({ view }: RecordedChat, reply: ScriptReply, remark: Remark): void {
  const { maxTokens, stops } = generationOptions(view.request);
  const choices: readonly ScriptChoice[] = reply.choices ?? [reply];
  for (const choice of choices) {
    const { content, reasoning = "", toolCalls = [] } = choice;
    const texts = [
      ...(typeof content === "string" ? [content] : []),
      reasoning,
      ...toolCalls.map((call) => `${call.name}${JSON.stringify(call.arguments)}`),
    ];
    const tokens = texts.reduce((sum, text) => sum + estimateTokenizer.count(text), 0);
    if (tokens > maxTokens) {
      remark(
        `the answer may be cut at the request's ${maxTokens} tokens, since tokens are estimated: set "tokenizer" in config.json to count them exactly`,
      );
    }
    if (typeof content === "string" && stops.some((stop) => content.includes(stop))) {
      remark("the answer has one of the request's stop texts, and will end before it");
    }
  }
}

/**
 * Puts scripts into files, one for each conversation, so that each comes after those that have to be tried before it. Files are
 * tried by their names: where that is the wrong order two conversations share a file.
 */
function scriptFiles(placed: readonly PlacedScript[], remark: Remark): readonly ImportedFile[] {
  const homes = new Map(placed.map(({ answers }) => [answers, answers.first.cassette]));
  for (let isRight = false; !isRight;) {
    isRight = true;
    for (const { answers, after } of placed) {
      for (const other of after) {
        const [into = "", from = ""] = [homes.get(answers), homes.get(other)];
        if (`${from}.json` <= `${into}.json`) continue;
        for (const [same, home] of homes) if (home === from) homes.set(same, into);
        remark(
          `${into}: also has the scripts of ${from}, since some of both must be tried in this order`,
        );
        isRight = false;
      }
    }
  }
  return [...groupBy(placed, ({ answers }) => homes.get(answers) ?? "")]
    .map(([name, scripts]) =>
      jsonFile(
        `chats/${name}.json`,
        inOrder(scripts).map(({ script }) => script),
      ),
    )
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** As they were recorded, save for those that have to wait for others. */
function inOrder(scripts: readonly PlacedScript[]): readonly PlacedScript[] {
  const waiting = [...scripts];
  const ordered: PlacedScript[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex(({ after }) =>
      waiting.every(({ answers }) => !after.includes(answers)),
    );
    // Where they wait for each other, none is right before the other.
    ordered.push(...waiting.splice(Math.max(0, ready), 1));
  }
  return ordered;
}

/** The last reply is repeated in any case. The same answer is the same whatever time it took. */
function withoutRepeats(replies: readonly ScriptReply[]): readonly ScriptReply[] {
  const said = replies.map(({ pace: _pace, ...reply }) => canonicalJson(reply));
  const last = said.findLastIndex((text) => text !== said.at(-1));
  return replies.slice(0, last + 2);
}

/** What a recording shows of a table: the rows that were read, and the key in the request's path, if any. A deleted row: no rows. */
interface Seen {
  readonly key: string | undefined;
  readonly rows: readonly JsonRow[];
  readonly isDeletion: boolean;
}

/** The files of tables with the rows that reads have shown. Of a row that was seen twice the later one counts. */
function recordedTables(
  cassettes: readonly NamedCassette[],
  remark: Remark,
): readonly ImportedFile[] {
  const seen = new Map<string, Seen[]>();
  for (const { name, recordings } of cassettes) {
    for (const [index, recording] of recordings.entries()) {
      const [table = "", key] = recording.request.path
        .split("/")
        .slice(1)
        .map((segment) => decodedPart(segment) ?? segment);
      const read = readSeen(recording, key);
      if (typeof read === "string") remark(`${name}, recording ${index + 1}: left out: ${read}`);
      else if (read !== undefined) seen.set(table, [...(seen.get(table) ?? []), read]);
    }
  }
  const tell: Tell = (path, message) => remark(`table ${showPath(path)}: ${message}`);
  const tables = [...seen].map(([name, list]) => validRows(tableOf(name, list, tell), tell));
  return tableFiles(tables, new Map(), tell);
}

/** What a recording tells of the rows that there are; undefined: nothing, as a change that a later read shows. */
function readSeen(
  { request: { method, path }, answer: { status, body } }: Recording,
  key: string | undefined,
): Seen | string | undefined {
  if (status < 200 || status > 299) return `${method} ${path} was answered ${status}`;
  if (method === "DELETE") return { key, rows: [], isDeletion: true };
  if (method !== "GET") return undefined;
  const text = body === undefined ? undefined : bodyText(body);
  const rows = asObject(parseJson(withExactNumbers(text ?? "")))?.["result"];
  if (Array.isArray(rows) && rows.every((row) => asObject(row) !== undefined)) {
    return { key, rows: rows as JsonRow[], isDeletion: false };
  }
  return `the answer to ${method} ${path} has no list of rows in "result"`;
}

function tableOf(name: string, seen: readonly Seen[], tell: Tell): ImportedTable {
  const key = keyOf(seen.filter(({ isDeletion }) => !isDeletion));
  const rows = new Map<string, JsonRow>();
  for (const { rows: read, key: asked, isDeletion } of seen) {
    for (const row of read)
      rows.set(key === undefined ? canonicalJson(row) : keyText(row[key]), row);
    if (isDeletion && asked !== undefined) rows.delete(asked);
  }
  if (key === undefined && rows.size > 0) {
    tell([name], "its key is unknown: rows that were changed or deleted are still there");
  }
  return { name, path: [name], rows: [...rows.values()], primaryKey: key };
}

/** The column that is the key of rows: `id`, or else the one whose value each request by key had in its path. */
function keyOf(reads: readonly Seen[]): string | undefined {
  const all = reads.flatMap(({ rows }) => rows);
  const asked = reads.filter(({ key }) => key !== undefined);
  const isAskedBy = (name: string): boolean =>
    asked.every(
      ({ key, rows }) => rows.length <= 1 && rows.every((row) => keyText(row[name]) === key),
    );
  if (all.some((row) => Object.hasOwn(row, "id")) && isAskedBy("id")) return "id";
  if (asked.every(({ rows }) => rows.length === 0)) return undefined;
  const [found, ...others] = Object.keys(all[0] ?? {}).filter(
    (name) => isAskedBy(name) && all.every((row) => /^(?:string|number)$/.test(typeof row[name])),
  );
  return others.length === 0 ? found : undefined;
}

/** A key as it stands in a path. */
function keyText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whole numbers of 16 digits or more, which a double may not hold, and texts, in which numbers mean nothing. */
const textsAndLargeNumbers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** A JSON text in which whole numbers that no double holds are texts. Their digits would change as soon as somebody reads them. */
function withExactNumbers(json: string): string {
  return json.replaceAll(textsAndLargeNumbers, (found) =>
    found.startsWith('"') || BigInt(found) === BigInt(Number(found)) ? found : `"${found}"`,
  );
}
