import { resolve } from "node:path";
import { jsonFilePieces } from "../../../core/http/json-pieces.ts";
import { longestSessionId } from "../../../core/emulator/routes.ts";
import { fixturePlace } from "../../node/fixture-place.ts";
import {
  type CommandDefinition,
  type CommandOption,
  environmentFlags,
  readForm,
  readKey,
  readServiceUrl,
  UsageError,
} from "../command.ts";
import { type FixtureFlags, pickOptions } from "../flags.ts";
import { exitCodes, type Io, writePieces } from "../io.ts";
import { refuseFixtures, refuseFixturesHere, reportWritten, writeInPlace } from "../write-file.ts";
import { fixturesDocument } from "./fixtures-document.ts";
import { defaultUrl, type ServerOptions, serverState } from "./server-state.ts";

/** The options of `export`. */
export interface ExportOptions extends ServerOptions, Pick<FixtureFlags, "skipUnsupported"> {
  /** The fixtures to export. Undefined: the state of a server. */
  readonly fixtures?: string;
  /** The file to write. Default: stdout, also written `-`. */
  readonly out?: string;
}

const sessionForm = new RegExp(`^[^]{1,${longestSessionId}}$`);

const serverOptions: readonly CommandOption[] = [
  {
    flags: "--url <url>",
    secret: true,
    variable: "BACKLOT_URL",
    description: `the server (default: BACKLOT_URL, else ${defaultUrl})`,
    read: (text) => readServiceUrl(text, `such as ${defaultUrl}`),
  },
  {
    flags: "--session <id>",
    description: "the session to export (default: the base session)",
    read: readForm(sessionForm, `a session's id, 1 to ${longestSessionId} characters`),
  },
  {
    flags: "--control-token <t>",
    secret: true,
    variable: "BACKLOT_CONTROL_TOKEN",
    description: "the control API's token (default: BACKLOT_CONTROL_TOKEN)",
    read: readKey,
  },
];

export const exportCommand: CommandDefinition = {
  arguments: [
    [
      "[fixtures]",
      "folder, JSON document, SQL dump or SQLite database (default: a server's state)",
    ],
  ],
  options: [
    { flags: "--out <file>", description: "the file to write (default: stdout)" },
    ...pickOptions(["skipUnsupported"]),
    ...serverOptions,
  ],
  help: `
Fixtures become one document, without a server: settings, models, tables, scripts and cassettes as they are
written, and the tables of SQL dumps and databases with their rows. Keys and tokens of the config are in it.

The state of a server has models, tables, scripts and cassettes, and under "state" counters and next ids. It has no
keys and no journal. PUT /__backlot/state restores it; backlot start serves either document.

Examples:
  backlot export fixtures --out all.json       one document of a folder
  backlot export app.db | jq .tables           the tables of a database
  backlot export --out state.json              save what ${defaultUrl} serves now
  backlot export --url http://127.0.0.1:3000 --session test-7
`,
  check: ({ fixtures, ...options }: ExportOptions, { env }: Io) => {
    if (fixtures === undefined || !namesServer(options, env)) return;
    throw new UsageError(
      `'${fixtures}' and a server cannot both be exported. To write the server's state to a file: --out ${fixtures}`,
    );
  },
  run: writeExport,
};

/** Whether the command line names a server. A server that only the environment names is not exported. */
function namesServer(options: ServerOptions, env: Io["env"]): boolean {
  const given: Readonly<Record<string, unknown>> = environmentFlags(env, serverOptions);
  return Object.entries(options).some(
    ([key, value]) => (key === "url" || key === "session") && value !== given[key],
  );
}

/** Writes fixtures, or the state of a running server, as one document, atomically to a file or to stdout. */
export async function writeExport(options: ExportOptions, io: Io): Promise<number> {
  const { fixtures, out = "-" } = options;
  const pieces =
    fixtures === undefined ? serverState(options) : await piecesOf(fixtures, options, io);
  if (out === "-") {
    await writePieces(io.stdout, pieces);
    return exitCodes.done;
  }
  refuseFixturesHere(out, io.cwd);
  await writeInPlace({ path: resolve(io.cwd, out), shown: out, isPrivate: true }, pieces);
  reportWritten(fixtures === undefined ? "the state" : fixtures, out, io);
  return exitCodes.done;
}

/** The text of the exported document, in chunks. */
async function piecesOf(
  fixtures: string,
  { out, ...options }: ExportOptions,
  io: Io,
): Promise<Iterable<string>> {
  const place = fixturePlace(fixtures, io.cwd);
  if (out !== undefined && out !== "-") refuseFixtures(out, place, io.cwd);
  return jsonFilePieces(await fixturesDocument(place, { options, io }));
}
