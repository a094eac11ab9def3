import { Worker } from "node:worker_threads";

const program = `
const { workerData: { beat, ms } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
let last = -1;
let since = process.cpuUsage();
setInterval(() => {
  const now = Atomics.load(beat, 0);
  const { user, system } = process.cpuUsage(since);
  // A machine that is busy with something else is no reason.
  if (now === last && (user + system) / 1000 > ms) {
    const seed = Atomics.load(beat, 1);
    writeSync(2, "error: stuck for " + ms + " ms of work in the inputs of --seed " + seed + ".\\n");
    process.kill(process.pid, "SIGKILL");
  }
  if (now !== last) since = process.cpuUsage();
  last = now;
}, 1000);
`;

/** Ends a process that hangs, which nothing in its own thread could do, and says how far it had come. */
export class Watchdog {
  readonly #beat: Int32Array = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;

  constructor(ms: number) {
    this.#worker = new Worker(program, { eval: true, workerData: { beat: this.#beat, ms } });
    this.#worker.unref();
  }

  /** Says that the inputs of this seed are tried, and that some more of them are done. */
  reached(seed: number): void {
    Atomics.add(this.#beat, 0, 1);
    Atomics.store(this.#beat, 1, seed);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
