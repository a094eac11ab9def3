/** A server in a process of its own, which tells the CPU time that it uses. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort, isListening } from "../../scripts/scale/ports.ts";

const preload = new URL("report-cpu.mjs", import.meta.url).href;

export class ServerProcess {
  readonly port: number;
  readonly #process: ChildProcess;

  constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  /** Starts a script that listens on the port that it is told. */
  static async start(
    script: URL,
    args: (port: number) => readonly string[],
  ): Promise<ServerProcess> {
    const port = await freePort();
    const child = spawn(
      process.execPath,
      ["--import", preload, fileURLToPath(script), ...args(port)],
      {
        // What a server logs goes nowhere, but it is written.
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      },
    );
    const server = new ServerProcess(child, port);
    while (!(await isListening(port))) {
      if (child.exitCode !== null)
        throw new Error(`${script.pathname} ended with ${child.exitCode}.`);
    }
    return server;
  }

  /** Microseconds of CPU that the process has used. */
  async cpuTime(): Promise<number> {
    this.#process.send("cpu");
    const [{ user, system }] = await once(this.#process, "message");
    return Number(user) + Number(system);
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}
