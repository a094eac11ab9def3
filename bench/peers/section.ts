/**
 * Backlot beside the tools that people use in its place, in one run: CPU for an answer, start and idle memory, as
 * multiples of what bare node:http takes. Needs a build.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { jsonQuestion } from "../chat/chat-fixtures.ts";
import type { chatGeneratorCalls } from "../chat/chat-generator.ts";
import { ChatServers } from "../chat/servers.ts";
import { Child } from "../process/child.ts";
import { residentBytes } from "../process/server.ts";
import { printSheet, showFigure } from "../report.ts";
import type { generatorCalls } from "../requests/load-generator.ts";
import type { ServerProcess } from "../requests/server-process.ts";
import { pacedQuestion, tableKinds } from "./asked.ts";
import { bareTables, chatTurn, tableTurn } from "./cpu-turns.ts";
import { bareName, Contest, type Turn } from "./contest.ts";
import { backlot, type Peer, peers } from "./peers.ts";
import { PeerServers, versionOf } from "./servers.ts";

const rounds = 9;
const streamRounds = 5;
/** Milliseconds after which a server that nobody asks is idle. */
const idle = { afterMs: 2500, rounds: 3 };

type Row = readonly string[];

export async function benchPeers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const bench = new PeersBench(folder);
  try {
    printSheet({
      title:
        "Backlot and its peers, 1,000 rows: CPU for an answer, start and memory, times bare node:http",
      head: ["", bareName, ...peers.map(({ name }) => name)],
      rows: [...(await bench.answers()), ...(await bench.starts())],
      notes: [...bench.problems, ...notes()],
    });
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class PeersBench {
  readonly #contest = new Contest(peers.map(({ name }) => name));
  readonly #tables = new Child<typeof generatorCalls>("requests/load-generator.ts");
  readonly #chats = new Child<typeof chatGeneratorCalls>("chat/chat-generator.ts");
  readonly #servers: PeerServers;
  readonly #bareChats: ChatServers;
  readonly #running = new Map<Peer, ServerProcess>();

  constructor(folder: string) {
    this.#servers = new PeerServers(folder);
    this.#bareChats = new ChatServers(folder);
  }

  get problems(): readonly string[] {
    return this.#contest.problems;
  }

  async close(): Promise<void> {
    for (const each of [this.#tables, this.#chats, this.#servers, this.#bareChats]) {
      await each.close();
    }
  }

  /** CPU for answers of each kind. */
  async answers(): Promise<readonly Row[]> {
    for (const peer of peers) await this.#start(peer);
    const own = this.#running.get(backlot);
    if (own === undefined) throw new Error(this.problems.join("\n"));
    const chats = [await this.#chat(own, "chat"), await this.#chat(own, "stream")];
    await this.#start(await this.#bareTables());
    return [
      ...chats,
      await this.#table("GET by key", "key"),
      await this.#table("page of 10: range, sorted by it", "range"),
      await this.#table("page of 10: equality, sorted by another", "equal"),
      await this.#table("POST of a row", "post"),
    ];
  }

  /** From a Backlot of its own, since it takes a POST. */
  async #bareTables(): Promise<Peer> {
    const { server } = await this.#servers.start(backlot);
    const peer = await bareTables(server.port, this.#tables);
    await server.close();
    return peer;
  }

  async #start(peer: Peer): Promise<void> {
    const started = await this.#contest.attempt(peer.name, () => this.#servers.start(peer));
    if (started !== undefined) this.#running.set(peer, started.server);
  }

  async #chat(own: ServerProcess, kind: "chat" | "stream"): Promise<Row> {
    const question = kind === "chat" ? jsonQuestion : pacedQuestion;
    const bare = await this.#bareChats.bare(question, own, this.#chats);
    const turns = new Map([[bareName, chatTurn(bare, question, this.#chats)]]);
    for (const [{ name, does }, server] of this.#running) {
      if (does[kind]) turns.set(name, chatTurn(server, question, this.#chats));
    }
    return kind === "chat"
      ? this.#cpu("chat as JSON", turns, rounds)
      : this.#cpu("stream of 50 chunks, 50 ms apart", turns, streamRounds);
  }

  #table(label: string, kind: keyof typeof tableKinds): Promise<Row> {
    const turns = new Map<string, Turn>();
    for (const [{ name, targets }, server] of this.#running) {
      if (targets !== undefined) turns.set(name, tableTurn(server, kind, targets, this.#tables));
    }
    return this.#cpu(label, turns, rounds);
  }

  #cpu(label: string, turns: ReadonlyMap<string, Turn>, count: number): Promise<Row> {
    return this.#contest.row(label, turns, {
      rounds: count,
      show: (bare) => `${showFigure(bare)} µs`,
    });
  }

  /** Start and idle memory of those that answered before. */
  async starts(): Promise<readonly Row[]> {
    await this.#servers.close();
    const time = async (peer: Peer): Promise<number> => {
      const { server, ms } = await this.#servers.start(peer);
      await server.close();
      return ms;
    };
    const weigh = async (peer: Peer): Promise<number> => {
      const { server } = await this.#servers.start(peer);
      await setTimeout(idle.afterMs);
      const bytes = residentBytes(server.pid);
      await server.close();
      return bytes;
    };
    const turns = (take: (peer: Peer) => Promise<number>): ReadonlyMap<string, Turn> =>
      new Map([...this.#running.keys()].map((peer) => [peer.name, { take: () => take(peer) }]));
    return [
      await this.#contest.row("start to first answer", turns(time), {
        rounds,
        show: (bare) => `${showFigure(bare)} ms`,
      }),
      await this.#contest.row("idle memory after it", turns(weigh), {
        rounds: idle.rounds,
        show: (bare) => `${showFigure(bare / 1e6)} MB`,
      }),
    ];
  }
}

function notes(): readonly string[] {
  const names = peers.flatMap(({ package: name }) => name ?? []);
  const versions = [...names, "msw"].map((name) => `${name} ${versionOf(name) ?? "missing"}`);
  return [
    "– not what it does: aimock and openai-mock-api have no tables, json-server no chats, and Mockoon sends a body at once.",
    "msw answers from a collection of @msw/data by @mswjs/http-middleware. json-server writes its file after each POST, 0.17 without gzip.",
    "50 ms is the gap of openai-mock-api, which has no other. Tables have 1,000 rows more when POSTs are timed.",
    `Versions: ${versions.join(", ")}.`,
  ];
}
