import type { Command } from "commander";
import { addOption, environmentFlagsOf, givenFlags, readOrRefuse } from "./command-flags.ts";
import { mergeFlags } from "./emulator-settings.ts";
import { fixturesHelp, verifyHelp } from "./help-text.ts";
import type { ProgramSetup } from "./program-setup.ts";
import {
  type EmulatorFlags,
  emulatorOptions,
  verifyFromEnvironment,
  type VerifyFlags,
  verifyOptions,
} from "./verify-options.ts";

/** Adds `verify` to the command line. */
export function addVerify(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("verify")
    .description("compare a real service with the fixtures; exit 1 where they differ")
    .argument("[fixtures]", fixturesHelp)
    .addHelpText("after", verifyHelp)
    .showHelpAfterError("Run backlot verify --help to see what there is.")
    .action(async (fixtures: string | undefined) => {
      const environment: EmulatorFlags = mergeFlags(
        environmentFlagsOf(command, io, emulatorOptions),
        givenFlags(command),
      );
      const keys = readOrRefuse(command, () => verifyFromEnvironment(io.env));
      const flags = { ...environment, ...keys, ...command.opts<VerifyFlags>() };
      if (flags.against === undefined && flags.restAgainst === undefined) {
        command.error("error: the service is missing. Name it by --against or --rest-against");
      }
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.verify({ ...flags, ...named }, io));
    });
  for (const option of [...verifyOptions, ...emulatorOptions]) {
    addOption(command, option);
  }
}
