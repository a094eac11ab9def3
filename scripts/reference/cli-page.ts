import type { Command } from "commander";
import {
  type CommandDefinition,
  type CommandOption,
  nameOf,
} from "../../src/fronts/cli/command.ts";
import { exitCodes } from "../../src/fronts/cli/io.ts";
import { examples } from "../../src/fronts/cli/help-text.ts";
import { type StartOption, startOptions } from "../../src/fronts/cli/flags.ts";
import { allCommands, wholeProgram } from "./command-line.ts";
import { code, page, splitDefault, table, verbatim } from "./markdown.ts";

const introduction = `# The command line

This page has every command and option, as \`backlot --help\` and \`backlot <command> --help\` show them. \`--version\` shows the version.
The build writes the page from the code.

An option wins over its environment variable, and the variable wins over the key in the fixtures' \`config.json\`
([all keys](fixture-format.md#the-document)). An empty variable counts as unset. A switch is on with \`1\`, \`true\`, \`yes\` or
\`on\`. Separate several values in a variable by commas. On the command line, put options with several values after the fixtures.`;

const exits = table(
  ["exit code", ""],
  [
    [String(exitCodes.done), "done; `exec` returns the exit code of its command"],
    ["1", "a problem that you can fix: fixtures, a port in use, drift"],
    [String(exitCodes.usage), "wrong usage; the message on stderr says what is wrong"],
    [String(exitCodes.bug), "a bug of Backlot; please report it"],
  ],
);

/** The page of the command line, made of what the command line itself reads. */
export async function cliPage(): Promise<string> {
  const loaded = await allCommands();
  const program = wholeProgram(loaded);
  const sections = [...loaded].map(([name, definition]) => {
    const command = program.commands.find((one) => one.name() === name) ?? program;
    return section(command, definition);
  });
  return page(introduction, exits, ...sections, exampleLines());
}

function section(command: Command, definition: CommandDefinition): string {
  const name = command.name();
  const { arguments: words = [], options, help = "" } = definition;
  return page(
    `## backlot ${name}`,
    `${sentence(command.description())} \`${usageOf(command)}\``,
    table(["argument", "", "default"], words.map(argumentCells)),
    table(
      ["option", "", "default", "environment", "config"],
      options.map((option) => optionCells(name, option)),
    ),
    help === "" ? "" : verbatim(help.trim()),
  ).trimEnd();
}

function usageOf(command: Command): string {
  const [, usage = ""] = /^Usage: (.*)$/m.exec(command.helpInformation()) ?? [];
  return usage;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function argumentCells([name, description]: readonly [string, string]): readonly string[] {
  const { meaning, standard } = splitDefault(description);
  return [code(name.replaceAll(/[[\]<>]/g, "")), meaning, standard];
}

/** Options that a command calls as `start` does, and does not read from a config: they are about another server. */
const apartFromConfig: Readonly<Record<string, readonly string[]>> = {
  record: ["port", "host"],
  verify: ["token", "api-key"],
};

const configKeys: ReadonlyMap<string, string> = new Map(
  startOptions.map((option: StartOption) => [nameOf(option), option.config ?? ""]),
);

function optionCells(command: string, option: CommandOption): readonly string[] {
  const { flags, description, variable = "" } = option;
  const name = nameOf(option);
  const { meaning, standard } = splitDefault(description);
  const apart = apartFromConfig[command] ?? [];
  const config = variable === "" || apart.includes(name) ? "" : (configKeys.get(name) ?? "");
  return [
    code(flags),
    meaning,
    standard,
    variable === "" ? "" : code(variable),
    config === "" ? "" : code(config),
  ];
}

/** The examples in the program's own help. */
function exampleLines(): string {
  const [, lines = ""] = /^Examples:\n((?: .*\n)*)/m.exec(examples) ?? [];
  return page("## Examples", verbatim(lines.replaceAll(/^ {2}/gm, "").trimEnd())).trimEnd();
}
