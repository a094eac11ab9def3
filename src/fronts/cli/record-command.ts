import { type CommandDefinition, UsageError } from "./command.ts";
import { record } from "./record.ts";
import { type RecordFlags, recordOptions, recordServerOptions } from "./record-options.ts";

export const recordCommand: CommandDefinition = {
  options: [...recordOptions, ...recordServerOptions],
  help: `
Point your code at http://127.0.0.1:4010/v1 (and /rest) in place of the service, with the service's own key.
Each conversation and each table becomes a file, which is written anew. Keys are left out; what else must not
be written says "recording" in the config.json beside the folder: {"redact": [{"path": ..., "as": ...}]}.

Examples:
  backlot record --upstream https://api.example.com/v1
  backlot record -u https://api.example.com/v1 --rest-upstream https://db.example.com/rest -o shop/cassettes
  backlot record -u https://api.example.com/v1 --as scripts --out shop   scripts in place of recordings
  backlot start --record https://api.example.com/v1   only what the fixtures have no answer for
`,
  check: ({ upstream, restUpstream }: RecordFlags) => {
    if (upstream !== undefined || restUpstream !== undefined) return;
    throw new UsageError("the service is missing. Name it by --upstream or --rest-upstream");
  },
  run: record,
};
