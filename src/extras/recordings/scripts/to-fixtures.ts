import { generationOptions } from "../../../core/chat/request/chat-request.ts";
import type { ScriptChoice, ScriptReply } from "../../../core/chat/scripts/script.ts";
import { estimateTokenizer } from "../../../core/chat/tokens/pieces.ts";
import { type ScriptInput, scriptSchema } from "../../../core/fixture-set/format/script-format.ts";
import {
  type NamedCassette,
  type RecordingRules,
  usualRecordingRules,
  type Recording,
} from "../../../core/recordings/cassette.ts";
import { type CompiledRules, compileRules } from "../../../core/recordings/recording-rules.ts";
import { canonicalJson } from "../replay/request-key.ts";
import { isValid } from "../../../core/schema/schema.ts";
import { groupBy } from "../group-by.ts";
import { type ImportedFile, jsonFile, type Tell } from "../importers/imported.ts";
import { conditionsOf, whenOf } from "./conditions.ts";
import type { Remark } from "./read-completion.ts";
import { type RecordedChat, readChat } from "./recorded-chat.ts";
import { replyScript } from "./reply-script.ts";
import { decodedPart } from "../../../core/http/url-parts.ts";
import { bodyText } from "../../../core/recordings/recorded-body.ts";
import { asObject, parseJson, showPath } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { type ImportedTable, validRows, tableFiles } from "../importers/table-files.ts";

/** Recordings converted to fixtures. */
interface RecordedFixtures {
  /** The files. Chat scripts are in the order in which they are tried. */
  readonly files: readonly ImportedFile[];
  /** What could not be converted, with its place in the recordings. */
  readonly remarks: readonly string[];
}

/**
 * Converts recordings to scripts and tables: a file for each conversation, and for each table a file with the rows that
 * were seen. Scripts match the user's words. If several requests have the same words, they also match the turn, a
 * tool's result or the model.
 */
export function toFixtures(
  cassettes: readonly NamedCassette[],
  rules: RecordingRules = usualRecordingRules,
): RecordedFixtures {
  const remarks = new Set<string>();
  const remark = (message: string): void => void remarks.add(message);
  const of = (kind: NamedCassette["interface"]): readonly NamedCassette[] =>
    cassettes.filter((cassette) => cassette.interface === kind);
  const files = [
    ...scriptFiles(of("chat"), compileRules(rules), remark),
    ...recordedTables(of("tables"), remark),
  ];
  return { files, remarks: [...remarks] };
}

/** The files of scripts that repeat the recorded conversations. */
function scriptFiles(
  cassettes: readonly NamedCassette[],
  rules: CompiledRules,
  remark: Remark,
): readonly ImportedFile[] {
  const chats = cassettes.flatMap((cassette) => readChats(cassette, remark));
  const alike = groupBy(chats, (chat) => JSON.stringify(conditionsOf(chat)));
  const groups = [...alike.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ all, first, conditions: conditionsOf(first) }];
  });
  const byWords = groupBy(
    groups.map(({ conditions }) => conditions),
    ({ words }) => words,
  );
  const files = new Map<string, ScriptInput[]>();
  for (const { all, first, conditions } of groups) {
    const script = scriptOf(all, remark);
    if (script === undefined) continue;
    const when = whenOf(conditions, byWords.get(conditions.words) ?? [], rules);
    const whole = Object.keys(when).length === 0 ? script : { when, ...script };
    files.set(first.cassette, [...(files.get(first.cassette) ?? []), whole]);
  }
  return [...files].map(([name, scripts]) => jsonFile(`chats/${name}.json`, scripts));
}

/**
 * A script that gives the answers to these requests one after the other; undefined if scripts can give none of them.
 */
function scriptOf(chats: readonly RecordedChat[], remark: Remark): ScriptInput | undefined {
  const [first, ...rest] = withoutRepeats(chats.flatMap((chat) => replyTo(chat, remark) ?? []));
  if (first === undefined) return undefined;
  return rest.length === 0 ? { reply: first } : { replies: [first, ...rest] };
}

/** The chats of a cassette that scripts can answer. */
function readChats(
  { name: cassette, recordings }: NamedCassette,
  remark: Remark,
): readonly RecordedChat[] {
  return recordings.flatMap((recording, index) => {
    const place = { cassette, number: index + 1 };
    const read = readChat(recording, place);
    if (typeof read !== "string") return [read];
    remark(`${cassette}, recording ${place.number}: left out: ${read}`);
    return [];
  });
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

/**
 * Warns of an answer that a script might end earlier than the service did, since the service counts tokens in another
 * way.
 */
function remarkOnLength({ view }: RecordedChat, reply: ScriptReply, remark: Remark): void {
  const { maxTokens, stops } = generationOptions(view.request);
  const choices: readonly ScriptChoice[] = reply.choices ?? [reply];
  for (const choice of choices) {
    const { content, reasoning = "", toolCalls = [] } = choice;
    const texts = [
      ...(typeof content === "string" ? [content] : []),
      reasoning,
      ...toolCalls.map((call) =>
        call.type === "custom"
          ? `${call.name}${call.input}`
          : `${call.name}${JSON.stringify(call.arguments)}`,
      ),
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
 * Drops equal replies at the end, since a script repeats its last reply anyway. Replies that differ only in pace are
 * equal.
 */
function withoutRepeats(replies: readonly ScriptReply[]): readonly ScriptReply[] {
  const said = replies.map(({ pace: _pace, ...reply }) => canonicalJson(reply));
  const last = said.findLastIndex((text) => text !== said.at(-1));
  return replies.slice(0, last + 2);
}

/**
 * What a recording shows of a table: the rows that were read, and the key in the request's path, if any. A deletion has
 * no rows.
 */
interface Seen {
  readonly key: string | undefined;
  readonly rows: readonly JsonRow[];
  readonly isDeletion: boolean;
}

/** The files of tables, with the rows that were read. Of a row that was read twice, the later version counts. */
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

/**
 * What a recording shows of a table. A text explains why it was left out. Undefined for writes, whose effect later
 * reads show.
 */
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

/** The key column of a table: `id`, or the only column whose value was in the path of every request by key. */
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

/** A key as it appears in a path. */
function keyText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Matches integers of 16 digits or more, which a double may not hold exactly, and whole strings, so that digits in them
 * are left alone.
 */
const textsAndLargeNumbers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Replaces integers that no double holds exactly by strings, since parsing would change their digits. */
function withExactNumbers(json: string): string {
  return json.replaceAll(textsAndLargeNumbers, (found) =>
    found.startsWith('"') || BigInt(found) === BigInt(Number(found)) ? found : `"${found}"`,
  );
}
