import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { type Comparison, compareStart, linesOf } from "./compare-output.ts";
import { collect } from "./terminal.ts";

/** How long the server has for what it is to print, in milliseconds. */
const patience = 30_000;

/** The terminal in which the server goes on running. */
export class SecondTerminal {
  readonly #child: ChildProcess;
  readonly #printed: () => string;
  /** Words an output as the tutorial does. */
  readonly #asInPage: (output: string) => string;
  #seen = 0;
  /** Whether nothing of it is left. */
  #ended = false;

  constructor(
    command: string,
    options: {
      readonly folder: string;
      readonly env: NodeJS.ProcessEnv;
      readonly asInPage: (output: string) => string;
    },
  ) {
    this.#asInPage = options.asInPage;
    const child = spawn("sh", ["-c", `exec 2>&1\n${command}`], {
      cwd: options.folder,
      env: options.env,
      stdio: ["ignore", "pipe", "inherit"],
      // A group of its own, which Ctrl-C reaches as a whole, as in a terminal.
      detached: true,
    });
    this.#child = child;
    this.#printed = collect(child.stdout);
    child.once("close", () => (this.#ended = true));
  }

  /** Waits until the lines that were not looked at yet are as shown. */
  async shows(shown: readonly string[]): Promise<Comparison> {
    const end = Date.now() + patience;
    for (;;) {
      const lines = linesOf(this.#asInPage(this.#printed())).slice(this.#seen);
      const result = compareStart(shown, lines);
      if ("taken" in result) this.#seen += result.taken;
      if ("taken" in result || this.#ended || Date.now() > end) return result;
      await wait(20);
    }
  }

  /** Presses Ctrl-C. Tells whether all is over then. */
  async interrupt(): Promise<boolean> {
    this.#signal("SIGINT");
    const end = Date.now() + patience;
    while (!this.#ended && Date.now() < end) await wait(20);
    return this.#ended;
  }

  /** Ends what is still there, without a wait. */
  kill(): void {
    if (!this.#ended) this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined && !this.#ended) process.kill(-this.#child.pid, signal);
  }
}
