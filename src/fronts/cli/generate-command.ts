import type { Command } from "commander";
import { addOption, commanderOption, environmentFlagsOf, givenFlags } from "./command-flags.ts";
import { mergeFlags } from "./emulator-settings.ts";
import { type GenerateFlags, generateOptions } from "./generate-options.ts";
import { fixturesHelp, generateHelp } from "./help-text.ts";
import type { ProgramSetup } from "./program-setup.ts";
import { fixtureOptions, startOptions } from "./start-options.ts";

/** Options of `start` whose variables in the environment `generate` takes, too. */
const generateFromEnvironment = startOptions.filter(
  (option) => option.key === "seed" || fixtureOptions.includes(option),
);

/** Adds `generate` to the command line. */
export function addGenerate(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("generate")
    .description("make rows of a table by faker and add them to its file")
    .argument(
      "<table>",
      "a table of the fixtures; its columns, or its templates, tell what rows are",
    )
    .argument("[fixtures]", fixturesHelp)
    .addHelpText("after", generateHelp)
    .showHelpAfterError("Run backlot generate --help to see what there is.")
    .action(async (table: string, fixtures: string | undefined) => {
      const environment = environmentFlagsOf(command, io, generateFromEnvironment);
      const flags = {
        ...mergeFlags(environment, givenFlags(command)),
        ...command.opts<GenerateFlags>(),
      };
      if (flags.force === true && (flags.out ?? "-") === "-") {
        command.error("error: option '--force' is for a file that '--out <file>' names");
      }
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.generate({ ...flags, ...named, table }, io));
    });
  for (const { conflicts = [], ...option } of generateOptions) {
    command.addOption(commanderOption(option, command).conflicts(conflicts));
  }
  for (const option of fixtureOptions) addOption(command, option);
}
