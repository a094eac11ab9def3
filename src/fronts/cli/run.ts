import { describeFailure, exitCodeFor } from "./describe-failure.ts";
import type { Io } from "./io.ts";
import { packageVersion } from "./package-version.ts";
import { readPlainStart } from "./plain-start.ts";
import type { Commands } from "./program-setup.ts";
import { styleFor } from "./style.ts";

/** Runs the command line and resolves with its exit code. It does not reject. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    const version = packageVersion();
    const commands = commandsOf(version);
    const plain = readPlainStart(args, io);
    if (plain !== undefined) return await commands.start(plain, io);
    const { runProgram } = await import("./program.ts");
    return await runProgram(args, { io, version, commands });
  } catch (error) {
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
    generate: async (options, io) => (await import("./generate.ts")).generate(options, io),
    exec: async (options, io) => (await import("./exec/exec.ts")).exec({ ...options, version }, io),
    export: async (options, io) => (await import("./export.ts")).exportState(options, io),
    import: async (options, io) => (await import("./import.ts")).importFile(options, io),
    record: async (options, io) =>
      (await import("./record.ts")).record({ ...options, version }, io),
    verify: async (options, io) => (await import("./verify.ts")).verifyService(options, io),
  };
}
