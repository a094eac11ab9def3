import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isListening } from "./ports.ts";

const entry = fileURLToPath(new URL("../../src/fronts/cli/bin.ts", import.meta.url));

/** What a process is started with. */
export interface ProcessOptions {
  readonly port: number;
  /** The file. */
  readonly fixtures: string;
  readonly maxSessions: number;
}

/** A Backlot server that can be killed and started again on its port. */
export class BacklotProcess {
  readonly #options: ProcessOptions;
  #end: ((signal: NodeJS.Signals) => Promise<void>) | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  get port(): number {
    return this.#options.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves once it listens. */
  async start(): Promise<void> {
    const { port, fixtures, maxSessions } = this.#options;
    const args = ["start", fixtures, "--port", String(port), "--max-sessions", String(maxSessions)];
    const child = spawn(
      process.execPath,
      ["--import", import.meta.resolve("tsx"), entry, ...args, "--log", "silent"],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    this.#end = async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    };
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`backlot start ended with ${child.exitCode}.`);
    }
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    await this.#end?.(signal);
  }
}
