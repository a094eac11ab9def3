import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inject, onTestFinished } from "vitest";
import { written } from "./test-io.ts";

/** A real `backlot exec` without a terminal, whoever runs the tests. */
export interface ExecProcess {
  readonly out: () => string;
  readonly err: () => string;
  /** The first match of what is written to stdout, once it is there. */
  readonly written: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly stdin: NonNullable<ChildProcess["stdin"]>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly exit: Promise<number | string>;
}

/** What starts `backlot` from source. */
export const backlot: readonly [file: string, ...args: string[]] = [
  process.execPath,
  inject("command"),
];

/** Starts `backlot exec`. It and its command are killed after the test, should they still run. */
export function spawnExec(args: readonly string[], cwd: string): ExecProcess {
  const [file, ...own] = backlot;
  const { PATH = "" } = process.env;
  const child = spawn(file, [...own, "exec", ...args], {
    cwd,
    env: { PATH, NO_COLOR: "1" },
    // A session of its own has no terminal.
    detached: true,
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  onTestFinished(() => killGroup(child));
  return {
    out: () => out,
    err: () => err,
    written: (pattern) => written(() => out, pattern),
    stdin: child.stdin,
    signal: (name) => void child.kill(name),
    exit: once(child, "close").then(([code, signal]) => code ?? signal),
  };
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have gone.
  }
}
