import { type ImportKind, importKinds } from "../../extras/recordings/importers/import-kind.ts";
import { oneOf } from "./option-values.ts";
import type { CommandOption } from "./command.ts";

/** The options of `import` as they were given; what is left out was not given. */
export interface ImportFlags {
  readonly from?: ImportKind;
  readonly out?: string;
  readonly force?: boolean;
}

/** The options of `import`, in the order in which help shows them. */
export const importOptions: readonly CommandOption[] = [
  {
    name: "from",
    value: "<kind>",
    description: `what the file is: ${importKinds.join(", ")} (default: what its content looks like)`,
    read: oneOf(importKinds),
  },
  {
    name: "out",
    short: "o",
    value: "<folder>",
    description: "fixtures folder to write into (default: fixtures)",
    read: (text) => text,
  },
  { name: "force", description: "overwrite files of the same names that are there" },
];

/** What follows the options in the help of `import`. */
export const importHelp: string = `
har           chats and tables in an HTTP archive, as cassettes; keys do not come into them
aimock        a file of aimock's fixtures, as chat scripts
json-server   a db.json, as tables
openapi       the examples of an OpenAPI 3 document in JSON, as tables
data          a JavaScript module that exports collections of @msw/data, as tables

What cannot be taken over is told, with its place in the file.

Examples:
  backlot import requests.har                       into fixtures/cassettes
  backlot import mocks.json --from aimock --out shop
  backlot import src/mocks/db.mjs --force           overwrite fixtures/tables/*.json of these names
`;
