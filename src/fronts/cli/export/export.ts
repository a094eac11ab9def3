import { resolve } from "node:path";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { noBacklotAnswers, nothingAnswers } from "../../../core/errors/no-server.ts";
import { longestSessionId } from "../../../core/emulator/session-address.ts";
import { type CommandDefinition, UsageError } from "../command.ts";
import { readKey } from "../option-values.ts";
import { exitCodes } from "../failure.ts";
import type { Io } from "../io.ts";
import { refuseFixturesHere, tellWritten, writeInPlace } from "../write-file.ts";

/** What `export` is told. */
export interface ExportOptions {
  /** Where the state is written to. Default: stdout, which `-` is, too. */
  readonly file?: string;
  readonly url?: string;
  readonly session?: string;
  readonly controlToken?: string;
}

export const exportCommand: CommandDefinition = {
  arguments: [["[file]", "file to write (default: stdout)"]],
  options: [
    {
      name: "url",
      value: "<url>",
      secret: true,
      variable: "BACKLOT_URL",
      description: "the server (default: BACKLOT_URL, else http://127.0.0.1:4010)",
      read: readUrl,
    },
    {
      name: "session",
      value: "<id>",
      description: "whose state (default: that of the base session)",
      read: readSession,
    },
    {
      name: "control-token",
      value: "<t>",
      secret: true,
      variable: "BACKLOT_CONTROL_TOKEN",
      description: "what guards the control API (default: BACKLOT_CONTROL_TOKEN)",
      read: readKey,
    },
  ],
  help: `
It has models, tables and scripts, and under "state" counters and next ids; no keys and no journal.
PUT /__backlot/state makes it the state again; backlot start serves it as fixtures.

Examples:
  backlot export state.json                    what is served at http://127.0.0.1:4010 now
  backlot export --session test-7 | jq .tables
  backlot export --url http://127.0.0.1:3000 --control-token s3cret state.json
`,
  run: writeState,
};

/** Reads where a server is; without the slashes at its end. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.search === "" && url.hash === "" && url.username === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new UsageError("Give the server's URL, such as http://127.0.0.1:4010.");
}

function readSession(text: string): string {
  if (text !== "" && text.length <= longestSessionId) return text;
  throw new UsageError(`Give a session's id, 1 to ${longestSessionId} characters.`);
}

const defaultUrl = "http://127.0.0.1:4010";

/** A server that takes longer does not answer. */
const patienceMs = 60_000;

/** Writes the state of a running server as a fixture document: to a file, at once and whole, or to stdout. */
export async function writeState(options: ExportOptions, io: Io): Promise<number> {
  const { file = "-" } = options;
  if (file !== "-") refuseFixturesHere(file, io.cwd);
  const text = pretty(await fetchState(options), options);
  if (file === "-") {
    io.stdout.write(text);
    await io.stdout.flushed?.();
    return exitCodes.done;
  }
  await writeInPlace({ path: resolve(io.cwd, file), shown: file }, pieces(text));
  tellWritten(file, io);
  return exitCodes.done;
}

async function* pieces(text: string): AsyncIterable<string> {
  yield text;
}

async function fetchState(options: ExportOptions): Promise<string> {
  const { url = defaultUrl, session, controlToken } = options;
  const world = session === undefined ? "" : `/@${encodeURIComponent(session)}`;
  const headers: Record<string, string> =
    controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` };
  const answer = await fetch(`${url}${world}/__backlot/state`, {
    headers,
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMs),
  })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch((error: unknown) => {
      const advice = "Start one with backlot start, or name it with --url.";
      throw nothingAnswers({ what, url, advice }, error);
    });
  if (answer.status !== 200) throw refused(answer.status, answer.text, options);
  return answer.text;
}

function refused(status: number, text: string, options: ExportOptions): EmulatorError {
  const { url = defaultUrl, controlToken } = options;
  const said = messageIn(text);
  if (status === 403 && said !== undefined) {
    const advice =
      controlToken === undefined
        ? "Give the token that the server was started with: --control-token <t>."
        : "Give --control-token the one that the server was started with.";
    return failure(`the server refuses it (403). ${advice}`);
  }
  // It is the state that cannot be exported, not the server that fails.
  if (status === 409 && said !== undefined) return failure(said.replace(exportStart, ""));
  if (said !== undefined) return failure(`the server answers ${status}: ${said}`);
  return noBacklotAnswers({ what, url, advice: nameServer }, status);
}

/** The message of an error of the control API. */
function messageIn(text: string): string | undefined {
  const message = parse(text)?.["error"];
  if (typeof message !== "object" || message === null || !("message" in message)) return undefined;
  return String(message.message).replaceAll(/\s*\n\s*/g, " ");
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function pretty(text: string, { url = defaultUrl }: ExportOptions): string {
  const state = parse(text);
  if (state !== undefined && "tables" in state) return `${JSON.stringify(state, undefined, 2)}\n`;
  throw noBacklotAnswers({ what, url, advice: nameServer }, 200);
}

const what = "export the state";
const exportStart = `Cannot ${what}: `;
const nameServer = "Name the server with --url.";

function failure(why: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `${exportStart}${why}`);
}
