/** The side of the parent: starts a process and calls its functions. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Calls } from "./serve-calls.ts";

type Argument<Call> = Call extends (...given: infer Given) => unknown ? Given : never;
type Result<Call> = Call extends (...given: never) => infer Given ? Awaited<Given> : never;

interface Reply {
  readonly result?: unknown;
  readonly error?: string;
}

/** A process that runs a script of this folder and serves calls. */
export class Child<Served extends Calls> {
  readonly #process: ChildProcess;

  constructor(script: string) {
    const file = fileURLToPath(new URL(`../${script}`, import.meta.url));
    this.#process = fork(file, { execArgv: ["--import", "tsx", "--expose-gc"] });
  }

  /** Calls a function there. Only one call at a time. */
  async call<Name extends keyof Served & string>(
    name: Name,
    ...given: Argument<Served[Name]>
  ): Promise<Result<Served[Name]>> {
    this.#process.send({ name, argument: given[0] });
    const { error, result } = await this.#reply();
    if (error !== undefined) throw new Error(error);
    return result as Result<Served[Name]>;
  }

  #reply(): Promise<Reply> {
    return new Promise((resolve) => {
      const take = (reply: Reply): void => {
        this.#process.off("exit", fail);
        resolve(reply);
      };
      const fail = (code: number | null, signal: string | null): void => {
        this.#process.off("message", take);
        resolve({ error: `The process ended with ${code ?? signal}.` });
      };
      this.#process.once("message", take).once("exit", fail);
    });
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}
