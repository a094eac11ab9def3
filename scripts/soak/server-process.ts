import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./server.ts";

/** The server under load, seen from the process that loads it. */
export class ServerProcess {
  readonly port: number;
  readonly #process: ChildProcess;

  constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  /** Resolves once the server listens. */
  static async start(seed: number): Promise<ServerProcess> {
    const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [String(seed)], {
      execArgv: [...process.execArgv, "--expose-gc"],
    });
    const port = await nextMessage<number>(child);
    return new ServerProcess(child, port);
  }

  /** Collects the server's garbage and resolves with what is left. */
  async measure(): Promise<Measurement> {
    const answered = nextMessage<Measurement>(this.#process);
    this.#process.send("measure");
    return answered;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.disconnect();
    await ended;
  }
}

/** Rejects when the process ends instead. */
async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [message] = await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`The server ended with ${code}.`);
      }),
    ]);
    return message;
  } finally {
    over.abort();
  }
}
