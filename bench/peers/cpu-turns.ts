/** The CPU that a server takes for an answer, once its answers are right and it is warm. */
import { isDeepStrictEqual } from "node:util";
import { type Question, requestBody } from "../chat/chat-fixtures.ts";
import type { chatGeneratorCalls } from "../chat/chat-generator.ts";
import type { Child } from "../process/child.ts";
import type { generatorCalls } from "../requests/load-generator.ts";
import { bareOf } from "../requests/section.ts";
import type { ServerProcess } from "../requests/server-process.ts";
import { chunks, postedItem, tableKinds, type Targets } from "./asked.ts";
import { bareName, type Turn } from "./contest.ts";
import { backlot, type Peer } from "./peers.ts";

type Tables = Child<typeof generatorCalls>;
type Chats = Child<typeof chatGeneratorCalls>;
type Send = (count: number) => Promise<unknown>;

/** V8 compiles for so many requests. Those who take long for them stop earlier. */
const warm = { requests: 20_000, ms: 5000, step: 200 };
/** A round has so many requests, and fewer where they would take longer than this. */
const round = { most: 1000, ms: 400, multipleOf: 8 };
/** All tables grow alike. */
const posts = { warm: 1000, round: 96 };
/** All at the same time, begun within a second. */
const streams = { count: 256, spreadMs: 1000 };

function cpuTurn(server: ServerProcess, send: Send, prepare: () => Promise<number>): Turn {
  let count = 0;
  return {
    async prepare() {
      count = await prepare();
    },
    async take() {
      const before = await server.cpuTime();
      await send(count);
      return ((await server.cpuTime()) - before) / count;
    },
  };
}

/** Warms a server up, and gives how many requests a round has. */
async function warmUp(send: Send): Promise<number> {
  const begun = performance.now();
  let sent = 0;
  let ms = 0;
  while (sent < warm.requests && ms < warm.ms) {
    await send(warm.step);
    sent += warm.step;
    ms = performance.now() - begun;
  }
  const count = Math.min(round.most, (round.ms * sent) / ms);
  return Math.ceil(count / round.multipleOf) * round.multipleOf;
}

export function chatTurn(server: ServerProcess, question: Question, chats: Chats): Turn {
  const { port } = server;
  const body = requestBody(question);
  const plannedMs = question.stream ? (chunks - 1) * question.gapMs : 0;
  const load = question.stream
    ? { connections: streams.count, spreadMs: streams.spreadMs, plannedMs }
    : { connections: 8, spreadMs: 0, plannedMs };
  const send: Send = (count) => chats.call("send", { port, body, count, ...load });
  return cpuTurn(server, send, async () => {
    const answer = await chats.call("answer", { port, body });
    const pieces = question.stream
      ? piecesOf(answer.body)
      : [JSON.parse(answer.body).choices[0].message.content];
    const isRight =
      pieces.join("") === question.content && pieces.length === (question.stream ? chunks : 1);
    if (answer.status !== 200 || !isRight) throw wrong(question.user, answer);
    if (!question.stream) return warmUp(send);
    await send(streams.count);
    return streams.count;
  });
}

/** The texts that a stream has. */
function piecesOf(body: string): readonly string[] {
  const [last, ...events] = body
    .split("\n\n")
    .filter((event) => event !== "")
    .toReversed();
  if (last !== "data: [DONE]") return [];
  const deltas = events.toReversed().map((event) => JSON.parse(event.slice("data: ".length)));
  return deltas.flatMap(({ choices }) => choices[0]?.delta.content || []);
}

export function tableTurn(
  server: ServerProcess,
  kind: keyof typeof tableKinds,
  peersTargets: Targets,
  tables: Tables,
): Turn {
  const { port } = server;
  const asked = tableKinds[kind](peersTargets);
  const targets = asked.map(({ target }) => target);
  const body = bodyOf(kind);
  const send: Send = (count) => tables.call("send", { port, targets, body, count });
  return cpuTurn(server, send, async () => {
    const answers = await tables.call("answers", { port, targets, body, count: 0 });
    for (const [index, { target, rows }] of asked.entries()) {
      const answer = answers[index];
      const isRight = answer?.status === (body === undefined ? 200 : 201);
      if (!isRight || !isDeepStrictEqual(rowsOf(answer.body), rows.map(withoutKey)))
        throw wrong(target, answer);
    }
    if (body === undefined) return warmUp(send);
    await send(posts.warm);
    return posts.round;
  });
}

/** Keys are texts with some, and new rows have any. The address has the number, too. */
function withoutKey(row: object): object {
  return { ...row, id: undefined };
}

/** The rows of an answer: alone, in a list, or in what a tool puts around them. */
function rowsOf(body: string): readonly object[] {
  let found = JSON.parse(body);
  for (;;) {
    const inner = found.result ?? found.data;
    if (inner === undefined) break;
    found = inner;
  }
  const rows: readonly Record<string, unknown>[] = Array.isArray(found) ? found : [found];
  return rows.map(withoutKey);
}

function bodyOf(kind: string): string | undefined {
  return kind === "post" ? JSON.stringify(postedItem) : undefined;
}

function wrong(asked: string, answer: object | undefined): Error {
  return new Error(`${asked} is answered with ${JSON.stringify(answer)?.slice(0, 300)}.`);
}

/** The least that gives the bytes that Backlot gives. */
export async function bareTables(port: number, tables: Tables): Promise<Peer> {
  const known: (readonly [string, object])[] = [];
  for (const [kind, make] of Object.entries(tableKinds)) {
    const targets = make(backlot.targets).map(({ target }) => target);
    const body = bodyOf(kind);
    const answers = await tables.call("answers", { port, targets, body, count: 0 });
    const method = body === undefined ? "GET" : "POST";
    for (const [index, one] of answers.entries()) {
      known.push([`${method} ${targets[index]}`, bareOf(one)]);
    }
  }
  return {
    name: bareName,
    script: new URL("../requests/bare-server.mjs", import.meta.url),
    fixtures: () => known,
    args: (own, file) => [own, file],
    targets: backlot.targets,
    does: { chat: false, stream: false },
  };
}
