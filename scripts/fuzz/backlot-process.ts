import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const preload = new URL("report-process.mjs", import.meta.url).href;

/** How to start it: the command's file, its arguments, and the folder that they are read in. */
export interface StartOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** The bytes that a process holds once its garbage is collected. */
export interface Holding {
  readonly heapUsed: number;
  readonly external: number;
}

/** How a process ended. */
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
  static async start({ command, args, cwd }: StartOptions): Promise<BacklotProcess> {
    const child = spawn(
      process.execPath,
      [
        "--expose-gc",
        "--import",
        preload,
        command,
        "start",
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

  /** Rejects if the process ends instead. */
  async measure(): Promise<Holding> {
    const over = new AbortController();
    try {
      const answered = once(this.#child, "message", { signal: over.signal });
      this.#child.send("measure");
      const ended = this.#gone.then(() => {
        throw new Error(`backlot start ended: ${this.#err}`);
      });
      const [holding] = await Promise.race([answered, ended]);
      return holding;
    } finally {
      over.abort();
    }
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
}
