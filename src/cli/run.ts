import { CommanderError } from "commander";
import { describeFailure, exitCodeFor, exitCodes } from "./describe-failure.ts";
import type { Io } from "./io.ts";
import { packageVersion } from "./package-version.ts";
import { type Commands, createProgram } from "./program.ts";
import { styleFor } from "./style.ts";

/** Runs the command line and resolves with its exit code. It does not reject. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let exitCode: number = exitCodes.done;
  try {
    const version = packageVersion();
    const program = createProgram({
      io,
      version,
      commands: commandsOf(version),
      finished: (code) => (exitCode = code),
    });
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const { red } = styleFor(io.stderr, io.env);
    io.stderr.write(`${red(describeFailure(error))}\n`);
    return exitCodeFor(error);
  }
}

/** Each command's code is loaded when it runs: help and wrong usage need none of it. */
function commandsOf(version: string): Commands {
  return {
    start: async (options, io) => (await import("./start.ts")).start({ ...options, version }, io),
    check: async (options, io) => (await import("./check.ts")).check(options, io),
    init: async (options, io) => (await import("./init.ts")).init(options, io),
  };
}
