import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import spawn from "cross-spawn";
import { exists } from "../../node/fixture-place.ts";

/** A command and its environment. */
export interface CommandSetup {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Shows the user a line of text. */
  readonly tell: (text: string) => void;
}

/** Shells add this number to that of the signal that ended a command. */
const signalled = 128;

/**
 * Runs a command with this process's input and output, without a shell, and returns the exit code that a shell would.
 */
export async function runCommand(setup: CommandSetup): Promise<number> {
  const { name, args, env, cwd, tell } = setup;
  let stopPassing: (() => void) | undefined;
  try {
    // Windows itself runs only `.exe` files, and npx is a batch file. Elsewhere this is Node's own spawn.
    const child = spawn(name, args, { cwd, env: { ...env }, stdio: "inherit" });
    stopPassing = passSignals(child, tell);
    return await exitCodeOf(child);
  } catch (error) {
    const [reason, exitCode] = spawnFailure(error, setup);
    tell(`error: Cannot run ${JSON.stringify(name)}: ${reason}`);
    return exitCode;
  } finally {
    stopPassing?.();
  }
}

/** Resolves with the exit code of a command. Rejects if the command could not be started. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((ended, reject) => {
    child.on("error", (error) => {
      // This event also reports a signal that could not be sent, as to another user's command. The command still runs
      // then.
      if (child.pid === undefined) reject(error);
    });
    child.once("exit", (code, signal) => {
      ended(code ?? signalled + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Why a command did not run, and the exit code of shells for that: 127 if the command does not exist, else 126. */
function spawnFailure(
  error: unknown,
  { name, cwd }: CommandSetup,
): readonly [reason: string, exitCode: 126 | 127] {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const isPath = /[\\/]/.test(name);
  switch (error.code) {
    case "ENOENT":
      if (!isPath || !exists(name, cwd)) return [adviceToFind(name, isPath), 127];
      return [
        "the program in its first line does not exist. Install it, or correct the line.",
        126,
      ];
    case "EACCES":
      return statSync(resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() === true
        ? ["it is a folder. Name a program in it.", 126]
        : [
            "the system does not allow it. Make it executable, or name the program that runs it.",
            126,
          ];
    case "ENOTDIR":
      return ["a part of its path is a file. Check the path, which starts from this folder.", 126];
    default:
      return [`${error.message}. Try it without backlot exec.`, 126];
  }
}

function adviceToFind(name: string, isPath: boolean): string {
  if (/\s/.test(name)) {
    return "there is no command of that name. Separate its words, or use a shell: -- sh -c '…'.";
  }
  if (isPath) return "there is no such file. Check the path, which starts from this folder.";
  return `there is no such command on the PATH. Check the name; one of a package that is installed here needs npx: -- npx ${name}.`;
}

/** Milliseconds that a command gets to end after a signal. */
export const graceMs = 5_000;

/** Signals by which somebody ends this process and means the command. */
const endings = ["SIGTERM", "SIGHUP"] as const;

/** Signals of keys in a terminal. The command gets these from the terminal itself. */
const keys = ["SIGINT", "SIGQUIT"] as const;

/**
 * Passes signals on to a command, so that it ends first. A command that ignores them is killed, except after Ctrl-C,
 * which shells and editors survive. Returns a function that stops this.
 */
export function passSignals(child: ChildProcess, tell: (text: string) => void): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    deadline ??= setTimeout(() => {
      tell(
        `warning: the command is still running ${graceMs / 1_000} s after ${signal}. It will be killed.`,
      );
      child.kill("SIGKILL");
    }, graceMs);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    if (!hasTerminal()) child.kill(signal);
  };
  // If this process ends for any other reason, such as a bug, the command must not be left behind.
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

/** Whether the process has a terminal, which sends signals to all foreground processes, wherever their output goes. */
function hasTerminal(): boolean {
  if (process.platform === "win32") return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
