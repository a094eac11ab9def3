import { describeFailure, exitCodeFor, type Io } from "./io.ts";
import { styleFor } from "../node/terminal-style.ts";
import { readCommandLine } from "./program.ts";
import { withSafeOutput } from "./terminal.ts";

/** Runs the command line and resolves with its exit code. Never rejects. */
export async function run(args: readonly string[], given: Io): Promise<number> {
  const io = withSafeOutput(given);
  try {
    const read = await readCommandLine(args, io);
    return typeof read === "number" ? read : await read.command.run(read.options as never, io);
  } catch (error) {
    const { red } = styleFor(io.stderr, io.env);
    io.stderr.write(`${red(describeFailure(error))}\n`);
    return exitCodeFor(error);
  }
}
