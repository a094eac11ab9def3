import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Answer } from "../envelopes.ts";
import { readAnswers } from "../raw-answers.ts";

/** What became of a request. */
export interface Reply {
  /** 0: the connection broke before a head came. -1: nothing came, and the client did not wait any longer. */
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  /** So long after its request the client closed its side, which this process may have been late to do. */
  readonly closedAfterMs?: number;
}

export interface AskOptions {
  /** Closes its side with the request, and still waits for the answer. */
  readonly halfCloses?: boolean;
  /** How long to wait once the request is written. Default: 20 s. */
  readonly graceMs?: number;
}

/** So long a client waits for its request to be written. */
const writesWithinMs = 20_000;

/** A client that sees the bytes: it can close one side, leave, and not read. */
export class WorldClient {
  readonly #port: number;
  readonly #idle: Socket[] = [];
  readonly #open = new Set<Socket>();

  constructor(port: number) {
    this.#port = port;
  }

  ask(bytes: string, method: string, options: AskOptions = {}): Promise<Reply> {
    const { halfCloses = false, graceMs = 20_000 } = options;
    const kept = halfCloses ? undefined : this.#idle.pop();
    const socket = kept ?? this.#connect();
    const started = performance.now();
    return new Promise((resolve) => {
      let received = "";
      let closedAfterMs = 0;
      let isOver = false;
      const finish = (status: number, text: string, isKept: boolean): void => {
        isOver = true;
        clearTimeout(timer);
        socket.off("data", take).off("close", gone).off("end", gone);
        if (isKept) this.#idle.push(socket);
        else socket.destroy();
        resolve({ status, text, ms: performance.now() - started, closedAfterMs });
      };
      const read = (isClosed: boolean): boolean => {
        const { answers, rest, problem } = readAnswers(received, [method], isClosed);
        const [answer] = answers;
        if (problem !== undefined) finish(-2, problem, false);
        else if (answer === undefined) return false;
        else finish(answer.status, answer.text, !halfCloses && !isClosed && rest === "");
        return true;
      };
      const take = (part: string): void => {
        received += part;
        // The end of an answer is that of a part.
        if (received.length < 100_000 || /(?:\}|\r\n)$/.test(part)) read(false);
      };
      const gone = (): void => {
        if (!read(true)) finish(0, received.slice(0, 200), false);
      };
      const giveUp = (): void => finish(-1, received.slice(0, 200), false);
      let timer = setTimeout(giveUp, writesWithinMs);
      socket.on("data", take).on("close", gone).on("end", gone);
      // What is not written by then never arrives.
      socket.write(bytes, () => {
        clearTimeout(timer);
        if (!isOver) timer = setTimeout(giveUp, graceMs);
      });
      if (!halfCloses) return;
      socket.once("connect", () => {
        const connected = performance.now();
        socket.once("finish", () => (closedAfterMs = performance.now() - connected));
      });
      socket.end();
    });
  }

  /** Sends this much, and is gone. */
  leave(bytes: string): Promise<void> {
    const socket = this.#connect();
    return new Promise((resolve) => {
      socket.on("close", () => resolve());
      socket.write(bytes, () => socket.destroy());
    });
  }

  /** Sends requests at once, whose answers may take their time, and may wait until they are read. */
  hold(requests: readonly string[]): HeldAnswers {
    return new HeldAnswers(this.#connect(), requests);
  }

  /** Reads what happens, or opens a connection for it and does not read. */
  watch(bytes: string, reads: boolean): Watcher {
    return new Watcher(this.#connect(), bytes, reads);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #connect(): Socket {
    const socket = connect({
      host: "127.0.0.1",
      port: this.#port,
      noDelay: true,
      allowHalfOpen: true,
    });
    this.#open.add(socket);
    // A connection that breaks is closed, too.
    socket.setEncoding("latin1").on("error", () => undefined);
    socket.on("close", () => {
      this.#open.delete(socket);
      const at = this.#idle.indexOf(socket);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    return socket;
  }
}

/** Answers that a client reads when it likes. */
export class HeldAnswers {
  readonly #socket: Socket;
  readonly #wanted: number;
  readonly #over: Promise<void>;
  #isOver = false;
  #received = "";

  constructor(socket: Socket, requests: readonly string[]) {
    this.#socket = socket;
    this.#wanted = requests.length;
    this.#over = new Promise((resolve) => {
      const end = (): void => {
        this.#isOver = true;
        resolve();
      };
      // A server that is gone has ended its side, which alone does not close a socket that may be half open.
      socket.on("end", end).on("close", end);
      socket.on("data", (part: string) => {
        this.#received += part;
        if (this.#read().length >= this.#wanted) end();
      });
    });
    socket.write(requests.join(""));
  }

  /** All that came so far. */
  get received(): string {
    return this.#received;
  }

  /** Resolves with the first status once its head has come. 0: the connection broke. */
  async begun(): Promise<number> {
    while (!this.#received.includes("\r\n\r\n") && !this.#isOver)
      await Promise.race([once(this.#socket, "data"), this.#over]);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.#received)?.[1] ?? 0);
  }

  pause(): void {
    this.#socket.pause();
  }

  /** Resolves once all are whole, or the connection broke; then with those that were. */
  async whole(): Promise<readonly Answer[]> {
    this.#socket.resume();
    await this.#over;
    this.#socket.destroy();
    return this.#read();
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(): readonly Answer[] {
    const { answers, problem } = readAnswers(this.#received, [], false);
    if (problem !== undefined) throw new Error(problem);
    return answers;
  }
}

/** A stream of the journal. */
export class Watcher {
  /** The steps of whose end it was told. */
  readonly seen = new Set<string>();
  readonly reads: boolean;
  /** Once the stream has begun. */
  readonly begun: Promise<void>;
  readonly #socket: Socket;
  #isOver = false;
  #rest = "";

  constructor(socket: Socket, bytes: string, reads: boolean) {
    this.#socket = socket;
    this.reads = reads;
    this.begun = new Promise((resolve) => {
      socket.on("data", (part: string) => {
        this.#take(part);
        resolve();
        if (!reads) socket.pause();
      });
      const end = (): void => {
        this.#isOver = true;
        resolve();
      };
      socket.on("end", end).on("close", end);
    });
    socket.write(bytes);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(part: string): void {
    this.#rest += part;
    const end = this.#rest.lastIndexOf("\n\n");
    if (end === -1) return;
    for (const [, step = ""] of this.#rest
      .slice(0, end)
      .matchAll(/^id: \d+\ndata: .*"x-step":"(\d+)"/gm))
      this.seen.add(step);
    this.#rest = this.#rest.slice(end);
  }
}
