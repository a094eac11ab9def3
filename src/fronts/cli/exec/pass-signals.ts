import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/** How long a command has to end once it was told to, in milliseconds. */
export const patienceMs = 5_000;

/** By these somebody tells this process to end, and means the command. */
const endings = ["SIGTERM", "SIGHUP"] as const;

/** These come from the keys of a terminal, which sends them to the command itself. */
const keys = ["SIGINT", "SIGQUIT"] as const;

/**
 * Passes signals on to a command, so that it ends first. One that ignores them is killed; only Ctrl-C it may take as
 * it likes, since that is no end to a shell or an editor. Returns what puts an end to the passing.
 */
export function passSignals(child: ChildProcess, tell: (text: string) => void): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    deadline ??= setTimeout(() => {
      tell(`warning: the command goes on ${patienceMs / 1_000} s after ${signal}. It is killed.`);
      child.kill("SIGKILL");
    }, patienceMs);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    if (!hasTerminal()) child.kill(signal);
  };
  // Whatever else ends this process, a bug for one: the command must not be left alone.
  const leave = (): void => void child.kill();
  for (const name of endings) process.on(name, end);
  for (const name of keys) process.on(name, interrupt);
  process.on("exit", leave);
  return () => {
    clearTimeout(deadline);
    for (const name of endings) process.off(name, end);
    for (const name of keys) process.off(name, interrupt);
    process.off("exit", leave);
  };
}

/** Whether there is a terminal that sends its signals to all processes in front, wherever their output goes. */
function hasTerminal(): boolean {
  if (process.platform === "win32") return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
