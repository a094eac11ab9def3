import type { Command } from "commander";
import { addOption, environmentFlagsOf, givenFlags } from "./command-flags.ts";
import { mergeFlags } from "./emulator-settings.ts";
import { recordHelp } from "./help-text.ts";
import type { ProgramSetup } from "./program-setup.ts";
import { type RecordFlags, recordOptions, recordServerOptions } from "./record-options.ts";

/** Adds `record` to the command line. */
export function addRecord(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("record")
    .description("pass requests on to a real service, and record what it answers")
    .addHelpText("after", recordHelp)
    .showHelpAfterError("Run backlot record --help to see what there is.")
    .action(async () => {
      const environment = environmentFlagsOf(command, io, recordServerOptions);
      const flags: RecordFlags = mergeFlags(environment, givenFlags(command));
      if (flags.upstream === undefined && flags.restUpstream === undefined) {
        command.error("error: the service is missing. Name it by --upstream or --rest-upstream");
      }
      finished(await commands.record(flags, io));
    });
  for (const option of [...recordOptions, ...recordServerOptions]) {
    addOption(command, option);
  }
}
