import type { Command } from "commander";
import { addOption, givenFlags, readOrRefuse } from "./command-flags.ts";
import { exportFromEnvironment, exportOptions } from "./export-options.ts";
import { exportHelp } from "./help-text.ts";
import type { ProgramSetup } from "./program-setup.ts";

/** Adds `export` to the command line. */
export function addExport(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("export")
    .description("write the state of a running server as a fixture document")
    .argument("[file]", "file to write (default: stdout)")
    .addHelpText("after", exportHelp)
    .showHelpAfterError("Run backlot export --help to see what there is.")
    .action(async (file: string | undefined) => {
      const environment = readOrRefuse(command, () => exportFromEnvironment(io.env));
      const named = file === undefined ? {} : { file };
      finished(await commands.export({ ...environment, ...givenFlags(command), ...named }, io));
    });
  for (const option of exportOptions) addOption(command, option);
}
