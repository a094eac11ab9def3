import type { Command } from "commander";
import type { CommandDefinition } from "../../src/fronts/cli/command.ts";
import type { Io } from "../../src/fronts/cli/io.ts";
import {
  type CommandLine,
  commands,
  createProgram,
  readCommandLine,
} from "../../src/fronts/cli/program.ts";

/** Every command, with all that the command line knows of it. */
export async function allCommands(): Promise<ReadonlyMap<string, CommandDefinition>> {
  const loading = [...commands].map(async ([name, { load }]) => [name, await load()] as const);
  return new Map(await Promise.all(loading));
}

/** The whole command line, to look at. */
export function wholeProgram(loaded: ReadonlyMap<string, CommandDefinition>): Command {
  return createProgram({ io: idleIo(), loaded, done: () => undefined });
}

/** Reads a command line as the command would. Throws what it prints where it refuses it; nothing is run. */
export async function readIdly(words: readonly string[]): Promise<CommandLine> {
  let printed = "";
  const read = await readCommandLine(
    words,
    idleIo((text) => (printed += text)),
  );
  if (typeof read === "number") throw new Error(printed);
  return read;
}

function idleIo(write: (text: string) => void = () => undefined): Io {
  const output = { write, isTerminal: false };
  return {
    stdout: output,
    stderr: output,
    env: {},
    addresses: () => [],
    cwd: "/",
    now: () => 0,
    untilStopped: () => Promise.resolve(),
  };
}
