import type { CommandDefinition } from "./command.ts";
import { importFile } from "./import.ts";
import { importHelp, importOptions } from "./import-options.ts";

export const importCommand: CommandDefinition = {
  arguments: [
    ["<file>", "HTTP archive, file of aimock, json-server or OpenAPI, or module of @msw/data"],
  ],
  options: importOptions,
  help: importHelp,
  run: importFile,
};
