import {
  type CommandDefinition,
  type CommandOption,
  environmentFlags,
  nameOf,
  UsageError,
} from "../command.ts";
import { prepareExport } from "../export/export-on-exit.ts";
import { fixturesHelp } from "../help-text.ts";
import type { Core } from "../../../core/emulator/core.ts";
import { fixturePlace } from "../../node/fixture-place.ts";
import { defaultHost, serve } from "../../node/server.ts";
import { describeFailure, exitCodeFor, exitCodes, type Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { loadToServe } from "../load-fixtures.ts";
import { entryPoints, readyFacts, warnIfRefused } from "../ready.ts";
import { type StartFlags, type StartOption, startOptions } from "../flags.ts";
import { createLog, prettyLog } from "../log.ts";
import { keepFresh, tellUnused } from "../record/upkeep.ts";
import { makeCore } from "../start/start.ts";
import { runCommand } from "./run-command.ts";

/**
 * Options of `start` that `exec` does not have: its server listens on loopback for one command, with the initial
 * fixtures and its own keys and rows.
 */
const leftOut = ["host", "tables", "watch", "record", "recordTables", "mode"] as const;

/** Options whose variables may be set nevertheless: on their own they have no effect that `exec` would miss. */
const harmless: readonly string[] = ["host", "mode"];

/** The options of `exec`: those of `start` that fit a single command, and the fixtures. */
export interface ExecOptions extends Omit<StartFlags, (typeof leftOut)[number]> {
  readonly fixtures?: string;
  /** The command and its arguments. */
  readonly command: readonly string[];
}

const isLeftOut = ({ key }: StartOption): boolean => leftOut.some((other) => other === key);

/**
 * Options that differ from those of `start`. The port is not read from the environment, since two concurrent runs would
 * compete for it.
 */
const changes: ReadonlyMap<string, Partial<CommandOption>> = new Map([
  ["port", { description: "port (default: a free one)", variable: "" }],
  ["log", { description: "log requests to stderr: pretty, json (default: silent)" }],
]);

export const execCommand: CommandDefinition = {
  arguments: [["[fixtures]", fixturesHelp]],
  options: startOptions
    .filter((option) => !isLeftOut(option))
    .map((option) => ({ ...option, ...changes.get(option.key) })),
  takesCommand: true,
  usage: "[fixtures] [options] -- <command> [args...]",
  help: `
The command gets this environment (without BACKLOT_EXPORT_ON_EXIT), and these variables:
  OPENAI_BASE_URL       the base URL of chat, for SDKs
  OPENAI_API_KEY        a key that chat accepts
  BACKLOT_URL           the server; the tables are at /rest below it
  AUTHORIZATION_TOKEN   the token of the tables
  NO_PROXY, no_proxy    what they had, and loopback, so that no proxy is asked for the server

The command runs without a shell. It gets this terminal's input, output and signals. backlot exec ends with its
exit code, or with 127: unknown command, 126: it cannot be run, 128 + n: signal n ended it.

Examples:
  backlot exec -- npx vitest run              tests, against ./fixtures or the built-in set
  backlot exec shop --seed 7 -- npm test      against the fixtures in ./shop
  backlot exec --export-on-exit after.json -- npm test   keep the state that the tests leave
  backlot exec --log pretty -- python app.py  show requests on stderr
  backlot exec -- sh -c 'echo $BACKLOT_URL'   variables need a shell
`,
  check: ({ command: [name = ""] }: ExecOptions, { env }) => {
    if (name === "") throw new UsageError("the command to run is missing. It comes after --");
    refuseInEnvironment(env);
  },
  run: exec,
};

/** Refuses variables that `exec` would ignore but pass on to the command. */
function refuseInEnvironment(env: Io["env"]): void {
  const refused = startOptions.filter(
    (option) => isLeftOut(option) && !harmless.includes(option.key),
  );
  const asked = environmentFlags(env, refused);
  for (const option of refused) {
    const { key, variable } = option;
    if (asked[key] === undefined || asked[key] === false) continue;
    throw new UsageError(
      `environment variable ${variable} is for backlot start; exec has no --${nameOf(option)}. ` +
        `Leave it empty: ${variable}= backlot exec …`,
    );
  }
}

/**
 * Serves fixtures while a command runs with the server in its environment, and resolves with the command's exit code.
 * Rejects with an `EmulatorError`, before the command runs, if it cannot serve.
 */
export async function exec(options: ExecOptions, io: Io): Promise<number> {
  const [name = "", ...args] = options.command;
  // Stdout belongs to the command.
  const errors = { ...io, stdout: io.stderr };
  const log = createLog(options.log ?? "silent", errors);
  const place = fixturePlace(options.fixtures, io.cwd);
  const fixtures = await loadToServe(place, { options, io });
  const core = await makeCore(fixtures, { options, log, recording: undefined });
  const { exportOnExit: file } = options;
  const context = { core, place, cwd: io.cwd };
  const write = file === undefined ? undefined : await prepareExport(file, context);
  const server = await serve({ core }, { port: options.port ?? 0, host: defaultHost });
  log.ready(readyFacts(core, server.url, { place }));
  // This warning is shown although requests are not logged by default, since all of them would fail.
  warnIfRefused(server, options.log === undefined ? prettyLog(errors).warned : log.warned);
  const env = { ...io.env, ...pastProxies(io.env), ...commandEnvironment(core, server.url) };
  keepFresh(core.fixtures, { now: io.now(), warn: log.warned });
  const { red } = styleFor(io.stderr, io.env);
  const tell = (text: string): void => io.stderr.write(`${red(text)}\n`);
  let exitCode: number;
  try {
    exitCode = await runCommand({ name, args, env, cwd: io.cwd, tell });
  } finally {
    // From here on no signal goes to the command. One more, such as a second Ctrl-C, must not prevent the export.
    void io.untilStopped();
    await server.close();
  }
  try {
    await write?.();
    return exitCode || tellUnused(core, { io, warn: log.warned });
  } catch (error) {
    tell(describeFailure(error));
    // The command's own exit code comes first.
    return exitCode === exitCodes.done ? exitCodeFor(error) : exitCode;
  }
}

const loopback = ["127.0.0.1", "localhost", "::1"];

/**
 * Variables that let the command reach the server without a proxy. Some programs read the name in capitals, others the
 * one in small letters: both have what either had.
 */
function pastProxies(env: Io["env"]): Readonly<Record<string, string>> {
  const given = [env["NO_PROXY"], env["no_proxy"]].flatMap((list = "") => list.split(","));
  const hosts = [...given.map((host) => host.trim()).filter((host) => host !== ""), ...loopback];
  const list = [...new Set(hosts)].join(",");
  return { NO_PROXY: list, no_proxy: list };
}

/** Keys for an emulator that accepts any. Clients commonly refuse to start without a key. */
const anyKeys = { apiKey: "local-key", token: "local-token" };

/** The environment for a command that uses an emulator at `url`. An undefined value removes the variable. */
function commandEnvironment(core: Core, url: string): Readonly<Record<string, string | undefined>> {
  const { apiKeys, controlToken } = core.settings;
  const { chatUrl, token } = entryPoints(core, url);
  return {
    OPENAI_BASE_URL: chatUrl,
    OPENAI_API_KEY: apiKeys?.[0] ?? anyKeys.apiKey,
    BACKLOT_URL: url,
    AUTHORIZATION_TOKEN: token ?? anyKeys.token,
    BACKLOT_CONTROL_TOKEN: controlToken,
    // Removed, since a Backlot that the command starts would write to the same file.
    BACKLOT_EXPORT_ON_EXIT: undefined,
  };
}
