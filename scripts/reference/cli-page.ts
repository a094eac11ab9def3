import type { Argument, Command, Option } from "commander";
import { exitCodes } from "../../src/fronts/cli/describe-failure.ts";
import { idleProgram, knownOptions, textBehindHelp, variablesOf } from "./command-line.ts";
import { code, page, splitDefault, table, verbatim } from "./markdown.ts";

const introduction = `# The command line

Every command and option, as \`backlot --help\` and \`backlot <command> --help\` tell them; \`--version\` tells the version. This page is written by
\`npm run reference\`.

An option wins over the environment, the environment over the fixtures' \`config.json\`, whose key stands in the last column:
[what it takes](reference-fixtures.md#the-document). An empty variable counts as unset. A switch is on with \`1\`, \`true\`, \`yes\` or
\`on\`; several values are separated by commas. On the command line options that take several values come after the fixtures.`;

const exits = table(
  ["exit code", ""],
  [
    [String(exitCodes.done), "done; of `exec`: what the command that it ran has left"],
    ["1", "a problem of the user's: fixtures, a port that is taken, drift"],
    [String(exitCodes.usage), "wrong usage: what there is stands on stderr"],
    [String(exitCodes.bug), "a bug of Backlot; please report it"],
  ],
);

/** The page of the command line, made of what commander is told. */
export async function cliPage(): Promise<string> {
  const { commands } = idleProgram(() => undefined);
  const known = commands.filter((command) => command.name() !== "help");
  const sections = await Promise.all(known.map(section));
  return page(introduction, exits, ...sections, examples());
}

async function section(command: Command): Promise<string> {
  const name = command.name();
  const variables = await variablesOf(name);
  const more = name === "start" ? "" : verbatim(textBehindHelp(name).trim());
  return page(
    `## backlot ${name}`,
    `${sentence(command.description())} \`${usageOf(command)}\``,
    table(["argument", "", "default"], command.registeredArguments.map(argumentCells)),
    table(
      ["option", "", "default", "environment", "config"],
      command.options.map((option) => optionCells(name, option, variables)),
    ),
    more,
  ).trimEnd();
}

function usageOf(command: Command): string {
  const [, usage = ""] = /^Usage: (.*)$/m.exec(command.helpInformation()) ?? [];
  return usage;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function argumentCells(argument: Argument): readonly string[] {
  const { meaning, standard } = splitDefault(argument.description);
  return [code(argument.name()), meaning, standard];
}

/** Options that a command calls as `start` does, and does not read from a config: they are about another server. */
const apartFromConfig: Readonly<Record<string, readonly string[]>> = {
  record: ["--port", "--host"],
  verify: ["--token"],
};

function optionCells(
  command: string,
  option: Option,
  variables: ReadonlySet<string>,
): readonly string[] {
  const { meaning, standard } = splitDefault(option.description);
  const name = option.long ?? "";
  const { variable = "", config = "" } = knownOptions.get(name) ?? {};
  const isRead = variables.has(variable);
  const apart = apartFromConfig[command] ?? [];
  const isInConfig = isRead && config !== "" && !apart.includes(name);
  return [
    code(option.flags),
    meaning,
    standard,
    isRead ? code(variable) : "",
    isInConfig ? code(config) : "",
  ];
}

/** What follows the options in the program's own help. */
function examples(): string {
  const [, lines = ""] = /^Examples:\n((?: .*\n)*)/m.exec(textBehindHelp("")) ?? [];
  return page("## Examples", verbatim(lines.replaceAll(/^ {2}/gm, "").trimEnd())).trimEnd();
}
