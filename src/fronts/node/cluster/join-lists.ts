import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";
import { jsonTextReply, type Reply } from "../../../core/http/reply.ts";
import type { Answers, CallOf } from "./answers.ts";
import { forWorker, positionsIn, withPosition } from "./journal-position.ts";
import { variedCall } from "./sent-call.ts";

/** An answer that is made of several; what refuses stands for all. */
export function joined(
  { own, all }: Answers,
  join: (texts: readonly string[]) => unknown,
): Exchange {
  const refusal = all.find(({ reply }) => reply.status !== 200);
  for (const exchange of all) {
    if (exchange !== (refusal ?? own)) exchange.settle({ chunksSent: 0, aborted: false });
  }
  if (refusal !== undefined) return refusal;
  const { reply, settle } = own;
  // That of HEAD has none.
  if (reply.body.kind !== "text") return own;
  const text = JSON.stringify(join(all.map((exchange) => textOf(exchange.reply))));
  return { reply: jsonTextReply(200, text, reply.headers), settle };
}

function textOf({ body }: Reply): string {
  return body.kind === "text" ? body.text : "{}";
}

interface ListedSession {
  readonly lastUsedAt: string;
}

/** The sessions of all workers, those that were not used for the longest time first. */
export function joinSessions(answers: Answers): Exchange {
  return joined(answers, (texts) => {
    const sessions = texts.flatMap(
      (text): readonly ListedSession[] => JSON.parse(text).sessions ?? [],
    );
    const sorted = sessions.toSorted((one, other) => compare(one.lastUsedAt, other.lastUsedAt));
    return { sessions: sorted };
  });
}

/** The scripts of the first worker, and how many requests each has answered in any. */
export function joinChats(answers: Answers): Exchange {
  return joined(answers, (texts) => {
    const matches = new Map<string, number>();
    const [first, ...others] = texts.map((text) => JSON.parse(text));
    for (const list of [first, ...others]) {
      for (const [name, count] of Object.entries<number>(list.matches ?? {})) {
        matches.set(name, (matches.get(name) ?? 0) + count);
      }
    }
    return { ...first, matches: Object.fromEntries(matches) };
  });
}

interface ListedRequest {
  readonly id: string;
  readonly at: string;
  readonly durationMs: number;
}

interface ArchivedRequest {
  readonly startedDateTime: string;
  readonly time: number;
}

/** The journals of all workers, in the order in which the requests ended. */
export async function joinRequests(
  call: Call,
  ask: (callOf: CallOf) => Promise<Answers>,
): Promise<Exchange> {
  const [, limit] = /(?:^|&)limit=(\d+)(?=&|$)/.exec(call.query) ?? [];
  const most = limit === undefined ? Infinity : Number(limit);
  const answers = await ask((worker) =>
    variedCall(call, { query: forWorker(withoutLimit(call.query), worker) }),
  );
  return joined(answers, (texts) => {
    const [first, ...others] = texts.map((text) => JSON.parse(text));
    const lists = [first, ...others];
    if (first.log !== undefined) {
      const entries = lists.map((list): readonly ArchivedRequest[] => list.log?.entries ?? []);
      const inOrder = merged(entries, (entry) => Date.parse(entry.startedDateTime) + entry.time);
      const chosen = inOrder.slice(0, most).map(({ entry }) => entry);
      return { ...first, log: { ...first.log, entries: chosen } };
    }
    const requests = lists.map((list): readonly ListedRequest[] => list.requests ?? []);
    const inOrder = merged(requests, (entry) => Date.parse(entry.at) + entry.durationMs);
    return { ...first, requests: numbered(inOrder.slice(0, most), call.query, lists.length) };
  });
}

function withoutLimit(query: string): string {
  return query.replace(/(?:^|&)limit=\d+(?=&|$)/, "").replace(/^&/, "");
}

interface Merged<Entry> {
  readonly entry: Entry;
  readonly worker: number;
}

/** One list of those of all workers, each of which keeps its order. */
function merged<Entry>(
  lists: readonly (readonly Entry[])[],
  endOf: (entry: Entry) => number,
): readonly Merged<Entry>[] {
  const all = lists.flatMap((entries, worker) => {
    let end = -Infinity;
    return entries.map((entry) => {
      end = Math.max(end, endOf(entry));
      return { entry, worker, end };
    });
  });
  return all.toSorted((one, other) => one.end - other.end);
}

// oxlint-disable-next-line max-params
function numbered(
  requests: readonly Merged<ListedRequest>[],
  query: string,
  workers: number,
): readonly ListedRequest[] {
  let positions = positionsIn(query, workers);
  return requests.map(({ entry, worker }) => {
    positions = withPosition(positions, worker, Number(entry.id));
    return { ...entry, id: positions.join(".") };
  });
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
