import { type RecordedExchange, statusOf } from "../emulator/journal/entry.ts";
import type { Journal } from "../emulator/journal/journal.ts";
import { redactHeaders, redactQuery, withoutOwnKeys } from "../emulator/journal/redaction.ts";
import { bodyText, sentText } from "../emulator/journal/response.ts";
import { outcomeOf } from "../http/answerer.ts";
import { parseText } from "../http/json-body.ts";
import type { Timers } from "../http/scheduler.ts";
import type { FoundExchange } from "./har.ts";

/** The words of a search, in lower case. */
export function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** A search that has run for this many milliseconds lets other work run. */
const longestTurn = 8;

/** The exchanges one by one, with pauses in which the server answers other requests. */
export async function* withPauses(
  all: readonly FoundExchange[],
  timers: Timers,
): AsyncGenerator<FoundExchange, void> {
  let turn = timers.now();
  for (const one of all) {
    yield one;
    if (timers.now() - turn < longestTurn) continue;
    await new Promise<void>((resolve) => timers.set(resolve, 0));
    turn = timers.now();
  }
}

/** Whether all words occur in a request, in its answer, or in its summary. */
export function hasWords(
  exchange: RecordedExchange,
  journal: Journal,
  words: readonly string[],
): boolean {
  let left = words;
  for (const text of textsOf(exchange, journal)) {
    const lower = text.toLowerCase();
    left = left.filter((word) => !lower.includes(word));
    if (left.length === 0) return true;
  }
  return left.length === 0;
}

/**
 * The texts of a request. Reading the whole summary would take longer than all these, since it explains the answer.
 */
function* textsOf(exchange: RecordedExchange, { owner, all }: Journal): Generator<string, void> {
  const { ownKeys: keys } = owner;
  const { headers, reply, method, path, session, ended, problem = "" } = exchange;
  const query = redactQuery(exchange.query, { of: exchange.interface, keys });
  const { script, fault, recording } = outcomeOf(reply?.answeredBy);
  const asked = `${method} ${query === "" ? path : `${path}?${query}`}`;
  const end = `${statusOf(exchange, all.now())} ${ended}`;
  yield [asked, end, session, script, fault, recording?.cassette].join("\n");
  yield withoutEscapes(bodyText(exchange) ?? "");
  yield withoutEscapes(sentText(exchange, keys).text);
  yield withoutOwnKeys(problem, keys);
  yield linesOf(redactHeaders(headers, keys));
  yield linesOf(redactHeaders(reply?.headers ?? {}, keys));
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");
}

/** JSON in which each character stands for itself: some clients write characters beyond ASCII as escapes. */
function withoutEscapes(text: string): string {
  if (!text.includes("\\u")) return text;
  const read = parseText(text);
  return read.kind === "json" ? JSON.stringify(read.value) : text;
}
