import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { describeSpawnFailure } from "./describe-spawn-failure.ts";
import { passSignals } from "./pass-signals.ts";
import { type Program, windowsProgram } from "./windows-program.ts";

/** A command and the surroundings that it gets. */
export interface CommandSetup {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Tells the user a line. */
  readonly tell: (text: string) => void;
}

/** A command that a signal ended has the exit code of that signal above this, as shells have it. */
const signalled = 128;

/** Runs a command on this process's own input and output, without a shell, and gives the exit code a shell would. */
export async function runCommand(setup: CommandSetup): Promise<number> {
  const { env, cwd, tell } = setup;
  const { file, args, verbatim } = programOf(setup);
  let stopPassing: (() => void) | undefined;
  try {
    const child = spawn(file, args, {
      cwd,
      env: { ...env },
      stdio: "inherit",
      windowsVerbatimArguments: verbatim,
    });
    stopPassing = passSignals(child, tell);
    return await exitCodeOf(child);
  } catch (error) {
    const { message, exitCode } = describeSpawnFailure(error, setup);
    tell(`error: ${message}`);
    return exitCode;
  } finally {
    stopPassing?.();
  }
}

function programOf({ name, args, env, cwd }: CommandSetup): Program {
  if (process.platform === "win32") return windowsProgram({ name, args }, { env, cwd });
  return { file: name, args, verbatim: false };
}

/** Rejects when the command could not be started. */
function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      // A signal that could not be sent, as to a command of another user, is no end.
      if (child.pid === undefined) reject(error);
    });
    child.once("exit", (code, signal) => {
      resolve(code ?? signalled + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
