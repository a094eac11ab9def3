import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const preload = new URL("report-process.mjs", import.meta.url).href;
const root = fileURLToPath(new URL("../../", import.meta.url));

/** Node's arguments for the command: as it is built, or from its source. */
export const builtCommand: readonly string[] = [`${root}dist/command/backlot.js`];
export const sourceCommand: readonly string[] = [
  "--import",
  import.meta.resolve("tsx"),
  `${root}src/fronts/cli/bin.ts`,
];

export interface BacklotOptions {
  readonly runs: readonly string[];
  /** Default: `start`. */
  readonly command?: "start" | "record";
  readonly args: readonly string[];
  readonly cwd: string;
}

/** What a process holds once its garbage is collected. */
export interface Holding {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  readonly resources: Readonly<Record<string, number>>;
}

export interface Ending {
  /** The exit code, or the signal. */
  readonly code: number | string;
  /** From the signal on, in milliseconds. */
  readonly afterMs: number;
}

/** A `backlot start` in a process of its own. */
export class BacklotProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<readonly unknown[]>;
  #out = "";
  #err = "";
  #url = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#gone = once(child, "close");
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#out += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#err += text));
  }

  /** Resolves once it listens. */
  static async start(options: BacklotOptions): Promise<BacklotProcess> {
    const { runs, command = "start", args, cwd } = options;
    const child = spawn(
      process.execPath,
      [
        "--expose-gc",
        "--import",
        preload,
        ...runs,
        command,
        ...args,
        "--port",
        "0",
        "--log",
        "json",
      ],
      { cwd, stdio: ["ignore", "pipe", "pipe", "ipc"] },
    );
    const server = new BacklotProcess(child);
    server.#url = await server.#ready();
    return server;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get url(): string {
    return this.#url;
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  /** What it wrote to stdout so far: its log, one JSON text a line. */
  get out(): string {
    return this.#out;
  }

  get err(): string {
    return this.#err;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Forgets the log so far, which would take our memory. */
  forgetLog(): void {
    this.#out = "";
  }

  measure(): Promise<Holding> {
    return this.#ask<Holding>({ kind: "measure" });
  }

  /** Moves its clock, as a change of the system's would. */
  async jump(ms: number): Promise<void> {
    await this.#ask({ kind: "jump", ms });
  }

  /** Begins to look for the longest block of its event loop. */
  async watchLoop(): Promise<void> {
    await this.#ask({ kind: "watchLoop" });
  }

  /** The longest block since then, in milliseconds. */
  longestBlock(): Promise<number> {
    return this.#ask<number>({ kind: "longestBlock" });
  }

  /** Ends it, and says how it ended. */
  async end(signal: NodeJS.Signals): Promise<Ending> {
    const signalled = performance.now();
    if (this.isRunning) this.#child.kill(signal);
    const [code, by] = await this.#gone;
    const afterMs = performance.now() - signalled;
    return { code: typeof code === "number" ? code : String(by), afterMs };
  }

  async #ready(): Promise<string> {
    for (;;) {
      const [, line] = /^(\{"event":"ready".*\})$/m.exec(this.#out) ?? [];
      if (line !== undefined) return JSON.parse(line).url;
      if (!this.isRunning) throw new Error(`backlot start ended: ${this.#err}`);
      const { stdout } = this.#child;
      if (stdout !== null) await Promise.race([once(stdout, "data"), this.#gone]);
    }
  }

  /** Rejects when the process ends instead. */
  async #ask<Answer>(question: object): Promise<Answer> {
    const over = new AbortController();
    try {
      const answered = once(this.#child, "message", { signal: over.signal });
      this.#child.send(question);
      const [answer] = await Promise.race([
        answered,
        this.#gone.then(() => {
          throw new Error(`backlot start ended: ${this.#err}`);
        }),
      ]);
      return answer;
    } finally {
      over.abort();
    }
  }
}
