/** A server in a process of its own, which tells the CPU time that it uses. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const preload = new URL("report-cpu.mjs", import.meta.url).href;

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

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
      await delay(20);
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
