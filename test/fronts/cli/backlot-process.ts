import { spawn } from "node:child_process";
import { once } from "node:events";
import { inject, onTestFinished } from "vitest";
import { written } from "./test-io.ts";

/** A real process that runs the command line from source. */
export interface BacklotProcess {
  readonly pid: number;
  readonly out: () => string;
  readonly err: () => string;
  /** The first match of what it writes to stdout, once it is there. */
  readonly written: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Stops reading what it writes, as `| head -1` does. */
  readonly closeOutput: () => void;
  /** The exit code, or the signal that ended it. */
  readonly exit: Promise<number | string>;
}

interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `backlot`. A process that still runs after the test is killed. */
export function spawnBacklot(args: readonly string[], options: Surroundings): BacklotProcess {
  return spawnCommand(process.execPath, [inject("command"), ...args], options);
}

/** Starts a program that becomes `backlot`, such as a shell with `exec`. */
export function spawnCommand(
  file: string,
  args: readonly string[],
  options: Surroundings,
): BacklotProcess {
  const { PATH = "" } = process.env;
  const child = spawn(file, [...args], {
    cwd: options.cwd,
    env: { PATH, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    written: (pattern) => written(() => out, pattern),
    signal: (name) => void child.kill(name),
    closeOutput: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    exit: once(child, "close").then(([code, signal]) => code ?? signal),
  };
}
