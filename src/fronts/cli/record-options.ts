import { oneOf, readServiceUrl } from "./option-values.ts";
import { type CommandOption, UsageError } from "./command.ts";
import { pickOptions, type StartFlags } from "./settings.ts";

const forms = ["cassettes", "scripts"] as const;

const serverKeys = [
  "port",
  "host",
  "profile",
  "restProfile",
  "chatProfile",
  "cors",
  "basePath",
  "log",
] as const;

/** The options of `start` that are about the server and not about what it answers. */
export type ServerFlags = Pick<StartFlags, (typeof serverKeys)[number]>;

/** The same as options. */
export const recordServerOptions: readonly CommandOption[] = pickOptions(serverKeys);

/** The options of `record` as they were given; what is left out was not given. */
export interface RecordFlags extends ServerFlags {
  readonly upstream?: string;
  readonly restUpstream?: string;
  readonly out?: string;
  readonly as?: (typeof forms)[number];
}

/** The options of `record` that are its own, in the order in which help shows them. */
export const recordOptions: readonly CommandOption[] = [
  {
    name: "upstream",
    short: "u",
    value: "<url>",
    secret: true,
    description: "the real chat service: what /v1 is there, such as https://api.example.com/v1",
    read: readServiceUrl,
  },
  {
    name: "rest-upstream",
    value: "<url>",
    secret: true,
    description: "the real tables: what /rest is there, such as https://db.example.com/rest",
    read: readServiceUrl,
  },
  {
    name: "out",
    short: "o",
    value: "<folder>",
    description: "folder to write to (default: fixtures/cassettes; of scripts: fixtures)",
    read: readFolderName,
  },
  {
    name: "as",
    value: "<form>",
    description:
      "what becomes of it: cassettes (default), scripts (and tables, written at the end)",
    read: oneOf(forms),
  },
];

/** Reads the name of a folder to write to. */
function readFolderName(text: string): string {
  if (text !== "" && text !== "-") return text;
  throw new UsageError("Give the name of a folder, such as fixtures/cassettes.");
}
