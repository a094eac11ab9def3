import { defaultPort } from "../../../core/settings/settings.ts";
import { resolve } from "node:path";
import { noBacklotAnswers, serverUnreachable } from "../../../core/errors/no-server.ts";
import { longestSessionId } from "../../../core/emulator/routes.ts";
import { controlClient } from "../../remote/control-client.ts";
import { type CommandDefinition, readForm, readKey, readServiceUrl } from "../command.ts";
import { exitCodes, type Io, writePieces } from "../io.ts";
import { refuseFixturesHere, reportWritten, writeInPlace } from "../write-file.ts";

/** The options of `export`. */
export interface ExportOptions {
  /** The file to write. Default: stdout, also written `-`. */
  readonly file?: string;
  readonly url?: string;
  readonly session?: string;
  readonly controlToken?: string;
}

const sessionForm = new RegExp(`^[^]{1,${longestSessionId}}$`);

const defaultUrl = `http://127.0.0.1:${defaultPort}`;

export const exportCommand: CommandDefinition = {
  arguments: [["[file]", "file to write (default: stdout)"]],
  options: [
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
  ],
  help: `
The document has models, tables and scripts, and under "state" counters and next ids. It has no keys and no
journal. PUT /__backlot/state restores it; backlot start serves it as fixtures.

Examples:
  backlot export state.json                    save what ${defaultUrl} serves now
  backlot export --session test-7 | jq .tables
  backlot export --url http://127.0.0.1:3000 --control-token s3cret state.json
`,
  run: writeState,
};

/** A slower server counts as not answering. */
const graceMs = 60_000;

/** Writes the state of a running server as a fixture document, atomically to a file or to stdout. */
export async function writeState(options: ExportOptions, io: Io): Promise<number> {
  const { file = "-" } = options;
  if (file !== "-") refuseFixturesHere(file, io.cwd);
  const pieces = stateOf(options);
  if (file === "-") {
    await writePieces(io.stdout, pieces);
    return exitCodes.done;
  }
  await writeInPlace({ path: resolve(io.cwd, file), shown: file, isPrivate: true }, pieces);
  reportWritten(file, io);
  return exitCodes.done;
}

/** The text of a state, in chunks. Rejects if it breaks off, or is not a state. */
async function* stateOf(options: ExportOptions): AsyncGenerator<string, void> {
  const { url: server = defaultUrl, session, controlToken } = options;
  const url = session === undefined ? server : `${server}/@${encodeURIComponent(session)}`;
  const name = "Name the server with --url.";
  const token =
    controlToken === undefined
      ? "Give the server's token: --control-token <t>."
      : "Set --control-token to the server's own.";
  const ask = controlClient({
    url,
    controlToken,
    advice: { start: "Start one with backlot start, or name it with --url.", name, token },
    timeoutMs: graceMs,
  });
  const what = "export the state";
  const path = "/state?indent=2";
  const body = await ask<ReadableStream<Uint8Array>>(what, { path, asStream: true });
  const decoder = new TextDecoder();
  let isState = false;
  try {
    for await (const bytes of body) {
      const text = decoder.decode(bytes, { stream: true });
      isState ||= /^\{\s*"(?:profiles|models)":/.test(text);
      if (!isState) break;
      yield text;
    }
  } catch (cause) {
    throw serverUnreachable({ what, url, advice: "Try again." }, cause);
  }
  if (!isState) throw noBacklotAnswers({ what, url, advice: name }, 200);
}
