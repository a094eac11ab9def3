import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import { exitCodes } from "../describe-failure.ts";
import type { Io } from "../io.ts";
import type { Log, Ready } from "../log.ts";
import { passLines } from "./whole-lines.ts";
import { type WorkerReady, workerEnvironment } from "./worker-setup.ts";

interface CrewOptions {
  readonly workers: number;
  /** Where they listen for each other. */
  readonly folder: string;
  readonly io: Io;
  readonly log: Log;
}

/** How a worker began, or why it did not. */
type Beginning =
  | { readonly kind: "serves"; readonly ready: Ready }
  | { readonly kind: "failed"; readonly exitCode: number };

/** How long workers have to end by themselves, in milliseconds. */
const patienceMs = 800;
/** How long it takes until a worker is replaced that died at once, and the one before too. Doubled each time. */
const leastPauseMs = 100;
const longestPauseMs = 10_000;

/** The worker processes of a server. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #alive: Set<Worker> = new Set();
  #port: number | undefined;
  #isOver = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** Starts all. Resolves when all serve, or one of them cannot. */
  async start(): Promise<Beginning> {
    cluster.setupPrimary({ silent: true });
    // Alone, so that what is wrong is said once.
    const first = await this.#begin(0, 1);
    if (first.kind === "failed") return first;
    const rest = Array.from({ length: this.#options.workers - 1 }, (_, at) => at + 1);
    const others = await Promise.all(rest.map((index) => this.#begin(index, 1)));
    return others.find(({ kind }) => kind === "failed") ?? first;
  }

  /** Ends all, those too that do not end by themselves. */
  async end(): Promise<void> {
    this.#isOver = true;
    const ended = Promise.all([...this.#alive].map(closed));
    for (const worker of this.#alive) if (worker.isConnected()) worker.send("stop");
    await Promise.race([ended, delay(patienceMs, undefined, { ref: false })]);
    for (const worker of this.#alive) worker.process.kill("SIGKILL");
    await ended;
  }

  /** Resolves when the worker serves, or has ended before. */
  #begin(index: number, generation: number): Promise<Beginning> {
    const { workers, folder, io } = this.#options;
    const setup = {
      index,
      workers,
      generation,
      folder,
      isTerminal: io.stdout.isTerminal,
    };
    const worker = cluster.fork(workerEnvironment(setup));
    this.#alive.add(worker);
    const { stdout, stderr } = worker.process;
    if (stdout !== null) passLines(stdout, io.stdout);
    if (stderr !== null) passLines(stderr, io.stderr);
    return new Promise((resolve) => {
      let serves = false;
      worker.on("message", ({ port, ready }: WorkerReady) => {
        serves = true;
        // A free port is another one when all have died at once.
        if (this.#port !== undefined && this.#port !== port) this.#options.log.ready(ready);
        this.#port = port;
        resolve({ kind: "serves", ready });
      });
      worker.process.once("close", (code: number | null, signal: string | null) => {
        this.#alive.delete(worker);
        resolve({ kind: "failed", exitCode: code ?? exitCodes.bug });
        if (serves && !this.#isOver) {
          this.#options.log.workerDied(index, signal ?? `exit code ${code}`);
          void this.#replace(index, generation + 1);
        }
      });
    });
  }

  async #replace(index: number, generation: number): Promise<void> {
    let pauseMs = leastPauseMs;
    let next = generation;
    while (!this.#isOver) {
      const { kind } = await this.#begin(index, next++);
      if (kind === "serves") return;
      await delay(pauseMs, undefined, { ref: false });
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    }
  }
}

function closed(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.process.once("close", () => resolve());
  });
}
