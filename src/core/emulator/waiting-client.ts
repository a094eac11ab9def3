import { longestWait } from "../http/scheduler.ts";
import { keepRunning, runtimeTimers } from "./environment.ts";

/**
 * The clients that wait for answers of a session. When the session is reset or dropped, they no longer keep the process
 * running.
 */
export class WaitingClients {
  /** The clients that keep the process running. */
  readonly #holding: Set<WaitingClient> = new Set();
  /** Whether the clients no longer keep the process running. They still learn of an abort. */
  areReleased = false;

  add(client: WaitingClient): void {
    this.#holding.add(client);
  }

  delete(client: WaitingClient): void {
    this.#holding.delete(client);
  }

  letGo(): void {
    this.areReleased = true;
    for (const client of this.#holding) client.letGo();
  }
}

/**
 * A client in this process that waits for an answer. Over a network, its open socket would keep the process running, so
 * that its timeouts could fire; the timer of `AbortSignal.timeout` does not. Within a process there is no socket, so
 * this class keeps the process running instead.
 */
export class WaitingClient {
  readonly #signal: AbortSignal;
  #among: WaitingClients | undefined;
  #stop: (() => void) | undefined;

  /**
   * `signal` aborts when the client has gone. It is referenced while the process is kept running: the signal that it
   * follows holds it only weakly, and it would be collected before it could fire.
   */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Becomes one of a session's clients. */
  join(clients: WaitingClients): void {
    this.#among = clients;
    if (this.#stop !== undefined) clients.add(this);
  }

  /** Keeps the process running from now on, unless the clients of its session have been released. */
  hold(): void {
    if (this.#stop !== undefined || this.#among?.areReleased === true) return;
    this.#stop = keepRunning(this.#signal);
    this.#among?.add(this);
  }

  /** Lets the process end. */
  letGo(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#among?.delete(this);
  }

  /** Keeps the process running until a promise settles. */
  async during<Value>(coming: Promise<Value>): Promise<Value> {
    this.hold();
    try {
      return await coming;
    } finally {
      this.letGo();
    }
  }
}

/** The body of an answer while its client reads it. */
export class OpenBody {
  readonly #client: WaitingClient;
  /**
   * When everything is sent to a client that reads at once, on the timers' clock. Infinite: the body never ends by
   * itself.
   */
  readonly #allSentAt: number;
  #alarm: unknown;
  /** Whether the client no longer waits for the body. */
  isOver = false;

  /** `lastsMs`: how many milliseconds it takes to send everything to a client that reads at once. */
  constructor(client: WaitingClient, lastsMs: number) {
    this.#client = client;
    this.#allSentAt = runtimeTimers.now() + lastsMs;
  }

  /**
   * Keeps the process running while the client waits for data, or data is still to come. A client that does not read
   * what has arrived keeps the process running only until everything could have been sent, as with a socket. Called
   * after each write and each read.
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

  /** Called when the client no longer waits for the body. */
  end(): void {
    this.isOver = true;
    this.#client.letGo();
    runtimeTimers.clear(this.#alarm);
  }
}
