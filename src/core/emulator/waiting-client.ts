import { longestWait } from "../http/scheduler.ts";
import { keepRunning, runtimeTimers } from "./environment.ts";

/** The clients of a session, until it is reset or gone: then nobody waits for what was asked before. */
export class WaitingClients {
  /** Those that keep the process running. */
  readonly #holding: Set<WaitingClient> = new Set();
  /** Whether none of them keeps the process running any more. An abort still reaches them. */
  areLetGo = false;

  add(client: WaitingClient): void {
    this.#holding.add(client);
  }

  delete(client: WaitingClient): void {
    this.#holding.delete(client);
  }

  letGo(): void {
    this.areLetGo = true;
    for (const client of this.#holding) client.letGo();
  }
}

/**
 * A client in this process, and the answer that it waits for. Over a network its open socket would keep the process
 * running, and so a timeout of the client would fire (the timer of `AbortSignal.timeout` alone keeps no process). In
 * process nothing else is open, so this does it.
 */
export class WaitingClient {
  readonly #signal: AbortSignal;
  #among: WaitingClients | undefined;
  #stop: (() => void) | undefined;

  /**
   * `signal` reports that the client has gone. It stays in memory while the process is kept running: a signal is only
   * weakly held by the one that it follows, and would be collected before it could report anything.
   */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Becomes one of a session's clients. */
  join(clients: WaitingClients): void {
    this.#among = clients;
    if (this.#stop !== undefined) clients.add(this);
  }

  /** Keeps the process running from now on, unless its session's clients were let go. */
  hold(): void {
    if (this.#stop !== undefined || this.#among?.areLetGo === true) return;
    this.#stop = keepRunning(this.#signal);
    this.#among?.add(this);
  }

  /** Lets the process end. */
  letGo(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#among?.delete(this);
  }

  /** Keeps the process running until something is there. */
  async during<Value>(coming: Promise<Value>): Promise<Value> {
    this.hold();
    try {
      return await coming;
    } finally {
      this.letGo();
    }
  }
}

/** The body of an answer, as long as it is open to its client. */
export class OpenBody {
  readonly #client: WaitingClient;
  /** When all is sent to a client that takes it, by the timers. Infinite: it never ends by itself. */
  readonly #allSentAt: number;
  #alarm: unknown;
  /** Whether nobody waits for it any more. */
  isOver = false;

  /** `lastsMs` is how long it takes to send it to a client that takes it. */
  constructor(client: WaitingClient, lastsMs: number) {
    this.#client = client;
    this.#allSentAt = runtimeTimers.now() + lastsMs;
  }

  /**
   * Keeps the process running while the client waits for more, or more is to come. Who reads nothing of what is there
   * keeps it only until all could have been sent, as with a socket. Called after each write and each read.
   */
  follow(body: Pick<ReadableStreamDefaultController, "desiredSize">): void {
    if (this.isOver) return;
    const isWaiting = (body.desiredSize ?? 0) > 0;
    const restMs = this.#allSentAt - runtimeTimers.now();
    if (isWaiting || restMs > 0) this.#client.hold();
    else this.#client.letGo();
    if (isWaiting || restMs <= 0 || restMs === Infinity) return;
    runtimeTimers.clear(this.#alarm);
    this.#alarm = runtimeTimers.set(() => this.follow(body), Math.min(restMs, longestWait));
  }

  /** Nobody waits for it any more. */
  end(): void {
    this.isOver = true;
    this.#client.letGo();
    runtimeTimers.clear(this.#alarm);
  }
}
