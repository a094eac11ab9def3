/** A server in a process of its own, which tells the CPU time that it uses. */
import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort, isListening } from "../../scripts/scale/ports.ts";

const preload = new URL("report-cpu.mjs", import.meta.url).href;

/** Longer than any start takes on a busy machine. */
const startMs = 30_000;

export class ServerProcess {
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #script: URL;

  private constructor(child: ChildProcess, port: number, script: URL) {
    this.#process = child;
    this.port = port;
    this.#script = script;
  }

  /** Starts a script that listens on the port that it is told, and waits until it does. */
  static async start(
    script: URL,
    args: (port: number) => readonly string[],
  ): Promise<ServerProcess> {
    const port = await freePort();
    const server = ServerProcess.launch(script, port, args(port));
    try {
      await server.waitFor(() => isListening(port));
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** Starts a script and does not wait. Modules of `preloads` are loaded before it. */
  static launch(
    script: URL,
    port: number,
    args: readonly string[],
    preloads: readonly URL[] = [],
  ): ServerProcess {
    const imports = [preload, ...preloads.map(({ href }) => href)].flatMap((url) => [
      "--import",
      url,
    ]);
    const child = spawn(process.execPath, [...imports, fileURLToPath(script), ...args], {
      // What a server logs goes nowhere, but it is written.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    return new ServerProcess(child, port, script);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Looks again and again, while the process runs, but not for ever. */
  async waitFor(isReady: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + startMs;
    while (!(await isReady())) {
      const code = this.#process.exitCode ?? this.#process.signalCode;
      if (code !== null) throw new Error(`${this.#script.pathname} ended with ${code}.`);
      if (performance.now() > end) {
        const seconds = startMs / 1000;
        throw new Error(`${this.#script.pathname} was not ready after ${seconds} s.`);
      }
    }
  }

  /** Microseconds of CPU that the process has used. */
  async cpuTime(): Promise<number> {
    const messages = on(this.#process, "message");
    this.#process.send("cpu");
    // Some servers have messages of their own.
    for await (const [{ user, system }] of messages) {
      if (user !== undefined) return Number(user) + Number(system);
    }
    throw new Error(`${this.#script.pathname} does not tell its CPU time.`);
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}
