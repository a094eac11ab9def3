import { version } from "../../../core/emulator/version.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { readFixtureFiles } from "../../../core/fixture-set/read-fixtures.ts";
import { type RecordMode, recordModes } from "../../../core/recordings/record-mode.ts";
import { defined } from "../../../core/schema/json.ts";
import { readFixtureTexts } from "../../node/fixture-texts.ts";
import { defaultPort } from "../../../core/settings/settings.ts";
import { defaultHost, serve } from "../../node/server.ts";
import {
  type CommandDefinition,
  type CommandOption,
  UsageError,
  readChoice,
  readForm,
  readServiceUrl,
} from "../command.ts";
import type { Io } from "../io.ts";
import { createLog } from "../log.ts";
import { entryPoints, warnIfOpen, warnIfRefused } from "../ready.ts";
import { type StartFlags, pickOptions, recordingRules } from "../flags.ts";
import { makeCore } from "../start/start.ts";
import { beginRecording } from "./recording.ts";
import { tellUnused } from "./upkeep.ts";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const forms = ["cassettes", "scripts"] as const;

const serverKeys = [
  "port",
  "host",
  "profile",
  "tablesProfile",
  "chatProfile",
  "cors",
  "allowOrigins",
  "hosts",
  "basePath",
  "expiresIn",
  "unusedRecordings",
  "log",
] as const;

/** The options of `start` about the server instead of its answers. */
type ServerFlags = Pick<StartFlags, (typeof serverKeys)[number]>;

/** The options that `record` shares with `start`. */
const recordServerOptions: readonly CommandOption[] = pickOptions(serverKeys);

/** The given options of `record`. */
interface RecordFlags extends ServerFlags {
  readonly upstream?: string;
  readonly tablesUpstream?: string;
  readonly out?: string;
  readonly as?: (typeof forms)[number];
  readonly mode?: RecordMode;
  readonly fromJournal?: string;
}

/** The own options of `record`, in the order of the help. */
const recordOptions: readonly CommandOption[] = [
  {
    flags: "-u, --upstream <url>",
    secret: true,
    description: "base URL of the real chat service, such as https://api.example.com/v1",
    read: readServiceUrl,
  },
  {
    flags: "--tables-upstream <url>",
    secret: true,
    description: "base URL of the real tables, such as https://db.example.com/rest",
    read: readServiceUrl,
  },
  {
    flags: "-o, --out <folder>",
    description: "folder to write to (default: fixtures/cassettes; for scripts: fixtures)",
    read: readForm(/^(?!-$)./s, "the name of a folder, such as fixtures/cassettes"),
  },
  {
    flags: "--as <form>",
    description: "what to write: cassettes (default), or scripts (and tables) at the end",
    read: readChoice(forms),
  },
  {
    flags: "--from-journal <url>",
    secret: true,
    description: "write what a running Backlot has in its journal, and end",
    read: (text) => readServiceUrl(text, `such as http://127.0.0.1:${defaultPort}`),
  },
  {
    flags: "--mode <mode>",
    description: `what to record: ${recordModes.join(", ")} (default: all; in CI: none)`,
    read: readChoice(recordModes),
  },
];

/** Passes all requests on to real services and records them until the user stops it. */
export async function record(options: RecordFlags, io: Io): Promise<number> {
  if (options.fromJournal !== undefined) {
    const { out = join("fixtures", "cassettes"), fromJournal: url } = options;
    const { recordJournal } = await import("./record-journal.ts");
    const { recording: rules } = await recordedFixtures(dirname(out), "", io.cwd);
    return recordJournal({ url, rules, out }, io);
  }
  const stopped = io.untilStopped();
  const { as = "cassettes", mode } = options;
  const { upstream: chat, tablesUpstream: tables } = options;
  const out = options.out ?? (as === "cassettes" ? join("fixtures", "cassettes") : "fixtures");
  const isRaw = as === "cassettes";
  const there = await recordedFixtures(isRaw ? dirname(out) : out, isRaw ? out : "", io.cwd);
  const fixtures = { ...there, recording: recordingRules(there.recording, options) };
  const { port, host } = { port: defaultPort, host: defaultHost, ...options };
  const upstreams = defined({ chat, tables });
  const log = createLog(options.log ?? "pretty", io);
  const recording = await beginRecording({
    asked: "always",
    upstreams,
    address: { host, port },
    fixtures,
    mode,
    out,
    as,
    io,
    log,
  });
  const core = await makeCore(fixtures, { options, log, recording });
  const server = await serve({ core }, { port, host });
  const { chatUrl, tablesUrl } = entryPoints(core, server.url);
  const { url } = server;
  log.recording({ event: "ready", version, url, chatUrl, tablesUrl, upstreams, out });
  warnIfOpen(server, io, log.warned);
  warnIfRefused(server, log.warned);
  await stopped;
  // Recording stops first, since connections that this server cuts must not be recorded as broken. Both run together,
  // so that a failure of either is handled.
  const [finished] = await Promise.all([recording.finish(), server.close()]);
  return finished || tellUnused(core, { io, warn: log.warned });
}

/** The cassettes of a folder, with the rules and mount points of the fixtures folder, if there is one. */
async function recordedFixtures(folder: string, tapes: string, cwd: string): Promise<FixtureSet> {
  const config = ["config.json", "config.jsonc"]
    .map((name) => ({ name, path: join(folder, name) }))
    .find(({ path }) => existsSync(resolve(cwd, path)));
  const path = resolve(cwd, tapes);
  const isFolder = tapes !== "" && existsSync(path) && statSync(path).isDirectory();
  const names = isFolder ? readdirSync(path) : [];
  const cassettes = names.filter((name) => /^[^.].*\.jsonc?$/.test(name));
  const texts = [
    ...(config === undefined ? [] : readFixtureTexts(config.path, cwd).files),
    ...cassettes.flatMap((name) =>
      readFixtureTexts(join(tapes, name), cwd).files.map((file) => ({
        ...file,
        name: `cassettes/${name}`,
      })),
    ),
  ];
  const set = await readFixtureFiles(texts, { layout: "folder", checkTemplates: false });
  const { basePath, cors, hosts, tablesProfile, chatProfile } = set.settings;
  return { ...set, settings: defined({ basePath, cors, hosts, tablesProfile, chatProfile }) };
}

export const recordCommand: CommandDefinition = {
  options: [...recordOptions, ...recordServerOptions],
  help: `
Point your code at http://127.0.0.1:${defaultPort}/v1 (and /rest) instead of the service, with the service's own key.
Each conversation and each table gets a file, which is replaced. --mode new replays what is recorded already and adds
the rest, --mode once records the first time only, and --mode none replays without the service. Keys are left out. To leave out more, add
"recording" to the config.json beside the folder: {"redact": [{"path": ..., "as": ...}]}.

Examples:
  backlot record --upstream https://api.example.com/v1
  backlot record -u https://api.example.com/v1 --tables-upstream https://db.example.com/rest -o shop/cassettes
  backlot record -u https://api.example.com/v1 --as scripts --out shop   scripts instead of recordings
  backlot record --from-journal http://127.0.0.1:${defaultPort}   what was asked there so far, as cassettes
  backlot start --record https://api.example.com/v1   record only what the fixtures cannot answer
`,
  check: ({ upstream, tablesUpstream, fromJournal }: RecordFlags) => {
    if ((fromJournal ?? upstream ?? tablesUpstream) !== undefined) return;
    throw new UsageError("the service is missing. Name it with --upstream or --tables-upstream");
  },
  run: record,
};
