import { type RecordingRules, unusedChoices } from "../../core/recordings/cassette.ts";
import { agePattern } from "../../core/recordings/expiry.ts";
import { type RecordMode, recordModes } from "../../core/recordings/record-mode.ts";
import { type ChatProfileName, chatProfileNames } from "../../core/chat/profiles.ts";
import { configKeys } from "../../core/settings/config-keys.ts";
import {
  defaultPort,
  hostPattern,
  originPattern,
  type EmulatorSettings,
  settingNames,
} from "../../core/settings/settings.ts";
import { type TablesProfileName, tablesProfileNames } from "../../core/tables/profiles.ts";
import { defined } from "../../core/schema/json.ts";
import {
  type CommandOption,
  nameOf,
  decimalForm,
  readChoice,
  readClock,
  readDatabaseUrl,
  readFileName,
  readForm,
  readKey,
  readLatency,
  readNumber,
  readServiceUrl,
  readWhole,
  wholeForm,
} from "./command.ts";

/** The formats of the request log. */
export type LogFormat = "pretty" | "json" | "silent";

/** Settings of the emulator without a flag. `profiles` has three. */
type WithoutFlag = "profiles" | "origins" | "journalSize" | "cors" | Limit;

type Limit = "bodyLimit" | "rowsLimit" | "addedLimit" | "bodiesLimit" | "maxConnections";

/** The given options of `start`. */
export interface StartFlags extends Omit<EmulatorSettings, WithoutFlag> {
  readonly port?: number;
  readonly host?: string;
  readonly cors?: boolean;
  readonly allowOrigins?: readonly string[];
  readonly profile?: "document" | "observed";
  readonly tablesProfile?: TablesProfileName;
  readonly chatProfile?: ChatProfileName;
  readonly tables?: string;
  readonly exportOnExit?: string;
  readonly record?: string;
  readonly recordTables?: string;
  readonly mode?: RecordMode;
  readonly expiresIn?: string;
  readonly unusedRecordings?: NonNullable<RecordingRules["unusedRecordings"]>;
  readonly watch?: boolean;
  readonly skipUnsupported?: boolean;
  readonly log?: LogFormat;
}

/** An option of `start`. The command line, the environment, help and the reference page all read it. */
export interface StartOption extends CommandOption {
  readonly key: keyof StartFlags;
  /** The config key with the same meaning, such as `profiles.tables`. Undefined: none. */
  readonly config?: string;
  readonly variable: string;
}

const profiles = ["document", "observed"] as const;
const logFormats = ["pretty", "json", "silent"] as const;

type Entry = Omit<StartOption, "key" | "variable" | "config"> & {
  /** Default: `BACKLOT_` and the name. */
  readonly variable?: string;
  /** Default: the config key of the setting with that name. */
  readonly config?: string;
};

/** One row per option, in the order of the help. */
const table: { readonly [Key in keyof StartFlags]-?: Entry } = {
  port: {
    flags: "-p, --port <n>",
    description: `port; 0 picks a free one (default: ${defaultPort})`,
    read: readNumber(wholeForm, [0, 65_535], "a whole number from 0 to 65535; 0 picks a free port"),
  },
  host: {
    flags: "-H, --host <host>",
    description: "address to listen on (default: 127.0.0.1)",
    read: readForm(/^[^\s/?#[\]]+$/, "a host name or an address, such as 127.0.0.1 or 0.0.0.0"),
  },
  profile: {
    flags: "--profile <p>",
    config: "profiles",
    description: `both profiles at once: ${profiles.join(", ")} (starbasedb + openai)`,
    overrides: ["tablesProfile", "chatProfile"],
    read: readChoice(profiles),
  },
  tablesProfile: {
    flags: "--tables-profile <p>",
    config: "profiles.tables",
    description: `the profile of the tables: ${tablesProfileNames.join(", ")} (default: document)`,
    read: readChoice(tablesProfileNames),
  },
  chatProfile: {
    flags: "--chat-profile <p>",
    config: "profiles.chat",
    description: `the profile of chat: ${chatProfileNames.join(", ")} (default: document)`,
    read: readChoice(chatProfileNames),
  },
  token: {
    flags: "--token <t>",
    secret: true,
    // The variable's name comes from the emulated service.
    variable: "AUTHORIZATION_TOKEN",
    description: "the token that tables require (default: local-token)",
    read: readKey,
  },
  apiKeys: {
    flags: "--api-key <k...>",
    secret: true,
    description: "the keys that chat accepts (default: any)",
    read: readKey,
  },
  auth: { flags: "--no-auth", description: "require no keys" },
  journal: { flags: "--no-journal", description: "keep no requests in the journal" },
  cors: { flags: "--no-cors", description: "no CORS headers, no preflight" },
  allowOrigins: {
    flags: "--allow-origin <o...>",
    config: "cors.origins",
    description:
      "allow requests from pages of this origin, such as https://app.example; * allows all",
    read: readForm(
      originPattern,
      "scheme, host and port, such as https://app.example; * allows all",
    ),
  },
  hosts: {
    flags: "--allow-host <name...>",
    description: "allow requests to this host name, such as app.test; * allows all",
    read: readForm(
      hostPattern,
      "a name in lower case without a port, such as app.test; * allows all",
    ),
  },
  basePath: {
    flags: "--base-path <p...>",
    description: "paths below which both interfaces answer (default: / and /v1)",
    read: readForm(/^\/[^?#\s]*$/, 'a path that begins with "/", such as /v1'),
  },
  seed: {
    flags: "--seed <n>",
    description: "make ids, generated rows and random numbers repeatable",
    read: readWhole,
  },
  clock: {
    flags: "--clock <iso>",
    description: "stop the clock at this time (default: real time)",
    read: readClock,
  },
  speed: {
    flags: "--speed <x>",
    description: "speed of streams: 2 is twice as fast, 0 does not wait (default: 1)",
    read: readNumber(
      decimalForm,
      [0, Infinity],
      "a number of 0 or more, such as 2 or 0.5; 0 does not wait",
    ),
  },
  strict: {
    flags: "--strict",
    config: "chat.unmatched",
    description: "answer with an error if no script or recording matches",
  },
  latency: {
    flags: "--latency <ms[-ms]>",
    description: "delay each reply; 100-300 gives a range (default: 0)",
    read: readLatency,
  },
  controlToken: {
    flags: "--control-token <t>",
    secret: true,
    description: "require this token in the control API; other machines may then call it too",
    read: readKey,
  },
  maxSessions: {
    flags: "--max-sessions <n>",
    description: "how many sessions to keep (default: 1000)",
    read: readNumber(
      wholeForm,
      [1, Number.MAX_SAFE_INTEGER],
      "a whole number of 1 or more, such as 1000",
    ),
  },
  tables: {
    flags: "--tables <url>",
    secret: true,
    description: "keep the tables in this PostgreSQL database, to share them",
    read: readDatabaseUrl,
  },
  exportOnExit: {
    flags: "--export-on-exit <file>",
    description: "save the state as this fixture file on exit",
    read: readFileName,
  },
  record: {
    flags: "--record <url>",
    secret: true,
    description: "ask this service if no chat script matches, and record it",
    read: readServiceUrl,
  },
  recordTables: {
    flags: "--record-tables <url>",
    secret: true,
    description: "ask this service for tables that are missing, and record it",
    read: readServiceUrl,
  },
  mode: {
    flags: "--mode <mode>",
    description: `what to record: ${recordModes.join(", ")} (default: new; in CI: none)`,
    read: readChoice(recordModes),
  },
  expiresIn: {
    flags: "--expires-in <age>",
    config: "recording",
    description: "record cassettes of this age anew, or warn if nothing is recorded: 30d, 12h, 90m",
    read: readForm(agePattern, "an age such as 30d, 12h or 90m"),
  },
  unusedRecordings: {
    flags: "--unused-recordings <what>",
    config: "recording",
    description: `at the end, about recordings that no request used: ${unusedChoices.join(", ")} (default: warn)`,
    read: readChoice(unusedChoices),
  },
  watch: { flags: "--watch", description: "reload the fixtures when they change" },
  skipUnsupported: {
    flags: "--skip-unsupported",
    description: "leave out unsupported parts of SQL dumps and databases",
  },
  log: {
    flags: "--log <format>",
    description: `format of the request log (default: pretty): ${logFormats.join(", ")}`,
    read: readChoice(logFormats),
  },
};

const configKeyOf: ReadonlyMap<string, string> = new Map(
  [...configKeys].map(([key, { name }]) => [name, key]),
);

/** The options of `start`. */
export const startOptions: readonly StartOption[] = Object.entries<Entry>(table).map(
  ([key, entry]) => {
    const { config = configKeyOf.get(key) } = entry;
    const variable = `BACKLOT_${nameOf(entry).replaceAll("-", "_").toUpperCase()}`;
    const inConfig = config === undefined ? {} : { config };
    return { variable, ...entry, ...inConfig, key: key as keyof StartFlags };
  },
);

/** The options of `start` that another command takes, too. */
export function pickOptions(keys: readonly (keyof StartFlags)[]): readonly StartOption[] {
  return startOptions.filter(({ key }) => keys.includes(key));
}

const fixtureKeys = ["profile", "tablesProfile", "skipUnsupported"] as const;

/** The options of `start` that decide how fixtures are read. */
export type FixtureFlags = Pick<StartFlags, (typeof fixtureKeys)[number]>;

/** Options that `check` and `generate` take, too. */
export const fixtureOptions: readonly StartOption[] = pickOptions(fixtureKeys);

/** The rules for recordings: those of the fixtures, where no option replaces them. */
export function recordingRules(
  rules: RecordingRules,
  { expiresIn, unusedRecordings }: StartFlags,
): RecordingRules {
  return { ...rules, ...defined({ expiresIn, unusedRecordings }) };
}

type Profiles = NonNullable<EmulatorSettings["profiles"]>;

/** The emulator's options from the command line. */
export function emulatorSettings(flags: StartFlags): EmulatorSettings {
  const given = Object.entries(flags).filter(
    ([key, value]) => value !== undefined && settingNames.includes(key),
  );
  const { cors = true, allowOrigins: origins } = flags;
  return {
    ...Object.fromEntries(given),
    ...(cors && origins ? { cors: { origins } } : {}),
    profiles: profilesOf(flags),
  };
}

/** The profiles that `--profile` chooses. */
const pairs: Readonly<Record<NonNullable<StartFlags["profile"]>, Profiles>> = {
  document: { tables: "document", chat: "document" },
  observed: { tables: "starbasedb", chat: "openai" },
};

/** The profiles that the options choose. Specific options win over the common one. */
function profilesOf({ profile, tablesProfile, chatProfile }: StartFlags): Profiles {
  return {
    ...(profile === undefined ? {} : pairs[profile]),
    ...(tablesProfile === undefined ? {} : { tables: tablesProfile }),
    ...(chatProfile === undefined ? {} : { chat: chatProfile }),
  };
}
