/** Starts servers that print a line with their address when they are ready. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import { createInterface } from "node:readline";

/** A server that is ready. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** When its process was made, by `performance.now()`. */
  readonly started: number;
}

/** Runs a script as a server for as long as it is used, and ends it by a signal (default: SIGKILL). */
export async function withServer<Result>(
  script: readonly string[],
  use: (server: Server) => Promise<Result>,
  ending: NodeJS.Signals = "SIGKILL",
): Promise<Result> {
  const started = performance.now();
  const child = spawn(process.execPath, [...script], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    return await use({ url: JSON.parse(String(line)).url, pid: child.pid ?? 0, started });
  } finally {
    child.kill(ending);
    await once(child, "exit");
  }
}

/** Reads an answer to its end. Throws where it is not 200. */
export function read(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: "Bearer local-token" };
    const request = http.get(url, { headers, agent: false }, (response) => {
      const { statusCode } = response;
      response.resume().on("end", () => {
        if (statusCode === 200) resolve();
        else reject(new Error(`${url} is answered with the status ${statusCode}.`));
      });
    });
    request.on("error", reject);
  });
}

/** Bytes of memory that a process has, where the system tells. */
export function residentBytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return NaN;
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
