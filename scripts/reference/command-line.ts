import type { Command } from "commander";
import { variableName } from "../../src/fronts/cli/environment-options.ts";
import type { Io } from "../../src/fronts/cli/io.ts";
import { createProgram } from "../../src/fronts/cli/program.ts";
import type { Commands } from "../../src/fronts/cli/program-setup.ts";
import { startOptions } from "../../src/fronts/cli/start-options.ts";

const done = (): Promise<number> => Promise.resolve(0);

/** Commands that do nothing. */
const idle: Commands = {
  start: done,
  check: done,
  init: done,
  generate: done,
  exec: done,
  export: done,
  import: done,
  record: done,
  verify: done,
};

/** The whole command line, with commands that do nothing. `write` gets what it prints. */
export function idleProgram(
  write: (text: string) => void,
  { env = {}, behindDashes = ["true"] }: { env?: Io["env"]; behindDashes?: readonly string[] } = {},
): Command {
  const output = { write, isTerminal: false };
  const io: Io = {
    stdout: output,
    stderr: output,
    env,
    cwd: "/",
    now: () => 0,
    untilStopped: () => Promise.resolve(),
  };
  const setup = { io, commands: idle, version: "", finished: () => undefined };
  return createProgram({ ...setup, behindDashes });
}

/** The least that each command has to be told. */
const leastWords: Readonly<Record<string, readonly string[]>> = {
  generate: ["users"],
  import: ["file"],
  record: ["--upstream", "https://api.example.com/v1"],
  verify: ["--against", "https://api.example.com/v1"],
};

/** The variables of the environment that a command looks for when it runs. */
export async function variablesOf(command: string): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        return undefined;
      },
    },
  );
  const words = [command, ...(leastWords[command] ?? [])];
  await idleProgram(() => undefined, { env }).parseAsync(words, { from: "user" });
  return asked;
}

/** What follows the options in a command's help. */
export function textBehindHelp(name: string): string {
  let printed = "";
  const program = idleProgram((text) => (printed += text));
  const command = program.commands.find((one) => one.name() === name) ?? program;
  command.outputHelp();
  return printed.slice(
    printed.indexOf(command.helpInformation()) + command.helpInformation().length,
  );
}

/** An option as the page shows it, without what its command says of it. */
export interface KnownOption {
  readonly variable: string;
  readonly config: string;
}

/** What is known of the options of `start`, which others share, by their long names. */
export const knownOptions: ReadonlyMap<string, KnownOption> = new Map(
  startOptions.map((option) => [
    `--${option.name}`,
    { variable: variableName(option), config: option.config ?? "" },
  ]),
);
