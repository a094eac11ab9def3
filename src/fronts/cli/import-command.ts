import type { Command } from "commander";
import { addOption } from "./command-flags.ts";
import { type ImportFlags, importHelp, importOptions } from "./import-options.ts";
import type { ProgramSetup } from "./program-setup.ts";

/** Adds `import` to the command line. */
export function addImport(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("import")
    .description("make fixtures of what other tools have written")
    .argument(
      "<file>",
      "HTTP archive, file of aimock, json-server or OpenAPI, or module of @msw/data",
    )
    .addHelpText("after", importHelp)
    .showHelpAfterError("Run backlot import --help to see what there is.")
    .action(async (file: string) => {
      finished(await commands.import({ ...command.opts<ImportFlags>(), file }, io));
    });
  for (const option of importOptions) addOption(command, option);
}
