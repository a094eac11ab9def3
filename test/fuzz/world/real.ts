import type { State, World } from "./model.ts";
import {
  type AskOptions,
  type HeldAnswers,
  type Reply,
  type Watcher,
  WorldClient,
} from "./client.ts";

export const endSignals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const;

/** How a process ends. */
export interface Restart {
  readonly signal: (typeof endSignals)[number];
  /** Whether its disk has no room by then. It has some again before the next start. */
  readonly isFull: boolean;
}

/** Whether a server records a service, or writes what it is told into the folder that it watches. */
export type KeeperKind = "record" | "watch";

/** A server that writes files while it runs, on a disk that can be full. */
export interface Keeper {
  readonly port: number;
  /** How often the service behind it was asked. */
  readonly asked: number;
  readonly fill: () => Promise<void>;
  readonly free: () => Promise<void>;
  /** Ends it, and starts it again. Resolves with the exit code of the first, or its signal. */
  readonly restart: (signal: Restart["signal"]) => Promise<number | string>;
  /** The files of its folder, those that are hidden too, by their paths. */
  readonly files: () => Promise<ReadonlyMap<string, string>>;
  readonly close: () => Promise<void>;
}

/** A server to try, in this process or in one of its own. */
export interface WorldServer {
  readonly port: number;
  readonly bodyLimit: number;
  /** Loads these rows anew, as fixtures that changed; resolves when they are served. */
  readonly reload: (fixtures: object) => Promise<void>;
  /**
   * Ends the process, and starts it with these settings from what it exported; else from what it began with. Undefined:
   * it cannot.
   */
  readonly restart?: (how: Restart, settings: object) => Promise<string | undefined>;
  /** Starts another server, in an empty folder. Undefined: it cannot. */
  readonly keeper?: (kind: KeeperKind) => Promise<Keeper>;
  /** What it reported of itself, if anything. */
  readonly failure: () => string | undefined;
}

export interface Request {
  readonly session: string;
  readonly method: string;
  readonly path: string;
  /** A text is sent as it is. */
  readonly body?: unknown;
  /** In place of the usual ones, or besides. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** What steps act on: a server, its clients and its watchers. */
export class WorldReal {
  readonly server: WorldServer;
  /** What names of sessions and snapshots begin with, so that no two runs share any. */
  readonly prefix: string;
  readonly watchers: {
    readonly session: string;
    readonly watcher: Watcher;
    readonly owed: Set<string>;
  }[] = [];
  /** Streams that are not read to the end yet. */
  readonly streams: { readonly step: string; readonly answer: HeldAnswers }[] = [];
  /** The longest that an answer took, in milliseconds. */
  slowest = 0;
  #client: WorldClient;
  #step: number;

  constructor(server: WorldServer, prefix: string, step: number) {
    this.server = server;
    this.prefix = prefix;
    this.#step = step;
    this.#client = new WorldClient(server.port);
  }

  /** The number of the last request. */
  get step(): number {
    return this.#step;
  }

  async ask(request: Request, options?: AskOptions): Promise<Reply & { readonly step: string }> {
    const { bytes, step } = this.bytesOf(request);
    const reply = await this.#client.ask(bytes, request.method, options);
    if (reply.status > 0) this.slowest = Math.max(this.slowest, reply.ms);
    return { ...reply, step };
  }

  bytesOf({ session, method, path, body, headers = {} }: Request): {
    readonly bytes: string;
    readonly step: string;
  } {
    const step = String(++this.#step);
    const text =
      body === undefined || typeof body === "string" ? (body ?? "") : JSON.stringify(body);
    const all: Readonly<Record<string, string | undefined>> = {
      host: `127.0.0.1:${this.server.port}`,
      // Who has the token of the service's tables is answered by them everywhere.
      authorization: path.startsWith("/v1") ? "Bearer any" : "Bearer local-token",
      "x-step": step,
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": String(text.length) }),
      ...headers,
    };
    const lines = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`],
    );
    const inside = session === "" ? path : `/@${this.prefix}${session}${path}`;
    return { bytes: [`${method} ${inside} HTTP/1.1`, ...lines, "", text].join("\r\n"), step };
  }

  /** Sends a request, or the first part of it, and is gone. */
  async leave(request: Request, part: number): Promise<string> {
    const { bytes, step } = this.bytesOf(request);
    await this.#client.leave(bytes.slice(0, Math.ceil(bytes.length * part)));
    return step;
  }

  /** Sends requests at once, on a connection of their own. */
  hold(requests: readonly string[]): HeldAnswers {
    return this.#client.hold(requests);
  }

  /** Has a slow stream begin. Its step; undefined: it did not begin. */
  async stream(session: string, reads: boolean): Promise<string | undefined> {
    const { bytes, step } = this.bytesOf({
      session,
      method: "POST",
      path: "/v1/chat/completions",
      body: { model: "any", stream: true, messages: [{ role: "user", content: "slow" }] },
    });
    const answer = this.#client.hold([bytes]);
    if ((await answer.begun()) !== 200) return undefined;
    if (!reads) answer.pause();
    this.streams.push({ step, answer });
    return step;
  }

  async watch(session: string, reads: boolean): Promise<void> {
    // Steps are in headers, which summaries have not.
    const path = "/__backlot/requests/live?bodies=true";
    const { bytes } = this.bytesOf({ session, method: "GET", path });
    const watcher = this.#client.watch(bytes, reads);
    await watcher.begun;
    this.watchers.push({ session, watcher, owed: new Set() });
  }

  /** After the process has begun again, at another port perhaps. */
  reconnect(): void {
    this.#client.close();
    this.#client = new WorldClient(this.server.port);
    this.watchers.splice(0);
    this.streams.splice(0);
  }

  close(): void {
    this.#client.close();
  }
}

/** What the slow script says, in pieces of a word each. */
export const slowAnswer = "one two three four five six seven eight nine ten eleven twelve";
const slowGapMs = 5;

/** Fixtures that begin as a state does, with a script that counts and one that is slow. */
export function fixturesOf({ items }: Pick<State, "items">, world: World = {}): object {
  return {
    ...world,
    models: [],
    tables: {
      items: {
        primaryKey: "id",
        columns: {
          id: "INTEGER",
          name: { type: "TEXT", notNull: true, unique: true },
          n: { type: "INTEGER", default: 7 },
          tag: "TEXT",
        },
        rows: [...items.values()],
      },
    },
    chats: [
      {
        name: "counting",
        when: { user: { equals: "count" } },
        replies: [{ content: "one" }, { content: "two" }, { content: "three" }],
        after: "cycle",
      },
      {
        name: "slow",
        when: { user: { equals: "slow" } },
        reply: { content: slowAnswer, pace: { gapMs: slowGapMs, by: "word" } },
      },
    ],
  };
}
