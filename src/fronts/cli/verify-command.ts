import { type CommandDefinition, UsageError } from "./command.ts";
import { fixturesHelp } from "./help-text.ts";
import { verifyService, type VerifyOptions } from "./verify.ts";
import { emulatorOptions, verifyOptions } from "./verify-options.ts";

export const verifyCommand: CommandDefinition = {
  arguments: [["[fixtures]", fixturesHelp]],
  options: [...verifyOptions, ...emulatorOptions],
  help: `
Each request is sent to the service and to an emulator of the fixtures. Status, the headers that clients act
upon, types and keys of JSON, and kinds and order of streamed events are compared; of values those that the
config names under "recording": {"stable": ["body.model"]}. Only GET, HEAD and completions are sent, one at a
time; --writes sends the rest. Keys go into headers and nowhere else.

Examples:
  backlot verify --against https://api.example.com/v1          the cassettes, or the contract of chat
  backlot verify shop --rest-against https://db.example.com/rest --only contract
  backlot verify --against http://127.0.0.1:8080/v1 --format junit --out verify.xml

Exit codes: 0 no drift, 1 drift or nothing to compare, 2 wrong usage.
`,
  check: ({ against, restAgainst }: VerifyOptions) => {
    if (against !== undefined || restAgainst !== undefined) return;
    throw new UsageError("the service is missing. Name it by --against or --rest-against");
  },
  run: verifyService,
};
