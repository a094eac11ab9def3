import { spawn } from "node:child_process";
import { once } from "node:events";

export interface CommandSetup {
  /** Node's arguments for the command. */
  readonly runs: readonly string[];
  readonly args: readonly string[];
  readonly cwd: string;
}

export interface CommandEnd {
  /** The exit code, or the signal. */
  readonly code: number | string;
  readonly err: string;
}

/** Runs a command to its end. */
export async function runCommand({ runs, args, cwd }: CommandSetup): Promise<CommandEnd> {
  const child = spawn(process.execPath, [...runs, ...args], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 60_000,
  });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const [code, signal] = await once(child, "close");
  return { code: code ?? signal, err };
}
