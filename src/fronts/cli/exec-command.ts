import type { Command } from "commander";
import { addOption, environmentFlagsOf, givenFlags, readOrRefuse } from "./command-flags.ts";
import { mergeFlags } from "./emulator-settings.ts";
import { execFromEnvironment, execOptions, refuseInEnvironment } from "./exec/exec-options.ts";
import { execHelp, execUsage, fixturesHelp } from "./help-text.ts";
import type { ProgramSetup } from "./program-setup.ts";

/** Adds `exec` to the command line. */
export function addExec(
  program: Command,
  { io, commands, finished, behindDashes }: ProgramSetup,
): void {
  // Without `--` nobody knows whose the words are, and that is what to complain about.
  const isUnclear = behindDashes === undefined;
  const command = program
    .command("exec")
    .description("serve while a command runs, which finds the server by its environment")
    .usage(execUsage)
    .argument("[fixtures]", fixturesHelp)
    .allowExcessArguments(isUnclear)
    .allowUnknownOption(isUnclear)
    .addHelpText("after", execHelp)
    .showHelpAfterError(`Usage: backlot exec ${execUsage}`)
    .action(async (fixtures: string | undefined) => {
      const [name = "", ...args] = behindDashes ?? [];
      if (name === "") command.error("error: the command to run is missing. It comes after --");
      readOrRefuse(command, () => refuseInEnvironment(io.env));
      const environment = environmentFlagsOf(command, io, execFromEnvironment);
      const flags = mergeFlags(environment, givenFlags(command));
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.exec({ ...flags, ...named, command: [name, ...args] }, io));
    });
  for (const option of execOptions) addOption(command, option);
}
