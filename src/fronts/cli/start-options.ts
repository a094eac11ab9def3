import {
  oneOf,
  readBasePath,
  readClock,
  readDatabaseUrl,
  readFactor,
  readFileName,
  readHost,
  readKey,
  readLatency,
  readPort,
  readServiceUrl,
  readSessionCount,
  readWhole,
} from "./option-values.ts";

/** How requests and events are logged. */
export type LogFormat = "pretty" | "json" | "silent";

/** The options of `start` as they were given; what is left out was not given. */
export interface StartFlags {
  readonly port?: number;
  readonly host?: string;
  readonly profile?: "document" | "observed";
  readonly restProfile?: "document" | "starbasedb";
  readonly chatProfile?: "document" | "openai";
  readonly token?: string;
  readonly apiKey?: readonly string[];
  readonly auth?: boolean;
  readonly cors?: boolean;
  readonly basePath?: readonly string[];
  readonly seed?: number;
  readonly clock?: string;
  readonly speed?: number;
  readonly strict?: boolean;
  readonly latency?: number | readonly [number, number];
  readonly controlToken?: string;
  readonly maxSessions?: number;
  readonly tables?: string;
  readonly exportOnExit?: string;
  readonly record?: string;
  readonly recordRest?: string;
  readonly watch?: boolean;
  readonly skipUnsupported?: boolean;
  readonly log?: LogFormat;
}

/** What `start` is told: the options, and fixtures where they were named. */
export interface StartOptions extends StartFlags {
  readonly fixtures?: string;
  /** Backlot's own version, for the start-up message. */
  readonly version: string;
}

/** The options of `start` that decide how fixtures are read. */
export type FixtureFlags = Pick<StartFlags, (typeof fixtureKeys)[number]>;

/** Their names. `check` and `generate` take them, too. */
export const fixtureKeys = ["profile", "restProfile", "skipUnsupported"] as const;

/** An option of a command. */
export interface ValueOption {
  /** As on the command line, without the dashes. A switch called `no-…` sets its property to false. */
  readonly name: string;
  readonly short?: string;
  /** How help shows the value. Without one it is a switch. */
  readonly value?: string;
  /** Whether it takes several values. */
  readonly several?: boolean;
  readonly description: string;
  /** Whether its value is, or may have in it, a key or a password: no message shows it. */
  readonly secret?: true;
  /** Reads one value. Throws an `OptionValueError`. */
  readonly read?: (text: string) => unknown;
}

/** An option of `start`, for all that read options: the command line, the environment and help. */
export interface StartOption extends ValueOption {
  /** The property of `StartFlags` that it sets. */
  readonly key: keyof StartFlags;
  /** Where the fixtures' config says the same, such as `profiles.rest`. Undefined: it cannot. */
  readonly config?: string;
}

const profiles = ["document", "observed"] as const;
const restProfiles = ["document", "starbasedb"] as const;
const chatProfiles = ["document", "openai"] as const;
const logFormats = ["pretty", "json", "silent"] as const;

/** The options of `start`, in the order in which help shows them. */
export const startOptions: readonly StartOption[] = [
  {
    key: "port",
    config: "port",
    name: "port",
    short: "p",
    value: "<n>",
    description: "port; 0 picks a free one (default: 4010)",
    read: readPort,
  },
  {
    key: "host",
    config: "host",
    name: "host",
    short: "H",
    value: "<host>",
    description: "address to listen on (default: 127.0.0.1)",
    read: readHost,
  },
  {
    key: "profile",
    config: "profiles",
    name: "profile",
    value: "<p>",
    description: `both of these at once: ${profiles.join(", ")} (starbasedb + openai)`,
    read: oneOf(profiles),
  },
  {
    key: "restProfile",
    config: "profiles.rest",
    name: "rest-profile",
    value: "<p>",
    description: `whose behaviour the tables have: ${restProfiles.join(", ")} (default: document)`,
    read: oneOf(restProfiles),
  },
  {
    key: "chatProfile",
    config: "profiles.chat",
    name: "chat-profile",
    value: "<p>",
    description: `whose behaviour chat has: ${chatProfiles.join(", ")} (default: document)`,
    read: oneOf(chatProfiles),
  },
  {
    key: "token",
    config: "AUTHORIZATION_TOKEN",
    name: "token",
    value: "<t>",
    secret: true,
    description: "guards the tables (default: local-token)",
    read: readKey,
  },
  {
    key: "apiKey",
    config: "apiKeys",
    name: "api-key",
    value: "<k...>",
    secret: true,
    several: true,
    description: "keys that chat accepts (default: any)",
    read: readKey,
  },
  { key: "auth", config: "auth", name: "no-auth", description: "ask for no key at all" },
  { key: "cors", config: "cors", name: "no-cors", description: "no CORS headers, no preflight" },
  {
    key: "basePath",
    config: "basePath",
    name: "base-path",
    value: "<p...>",
    several: true,
    description: "mount points (default: / and /v1)",
    read: readBasePath,
  },
  {
    key: "seed",
    config: "seed",
    name: "seed",
    value: "<n>",
    description: "the same ids, generated rows and chance each time",
    read: readWhole,
  },
  {
    key: "clock",
    config: "clock",
    name: "clock",
    value: "<iso>",
    description: "the time that replies tell, fixed (default: it runs)",
    read: readClock,
  },
  {
    key: "speed",
    config: "speed",
    name: "speed",
    value: "<x>",
    description: "pace factor of streams; 0: no waiting (default: 1)",
    read: readFactor,
  },
  {
    key: "strict",
    config: "chat.unmatched",
    name: "strict",
    description: "what no script or recording answers is an error",
  },
  {
    key: "latency",
    config: "latency",
    name: "latency",
    value: "<ms[-ms]>",
    description: "hold every reply back; 100-300: a range (default: 0)",
    read: readLatency,
  },
  {
    key: "controlToken",
    name: "control-token",
    value: "<t>",
    secret: true,
    description: "guards the control API, beyond this machine too",
    read: readKey,
  },
  {
    key: "maxSessions",
    name: "max-sessions",
    value: "<n>",
    description: "sessions that are kept (default: 1000)",
    read: readSessionCount,
  },
  {
    key: "tables",
    name: "tables",
    value: "<url>",
    secret: true,
    description: "keep the tables in this PostgreSQL database, for all who start with it",
    read: readDatabaseUrl,
  },
  {
    key: "exportOnExit",
    name: "export-on-exit",
    value: "<file>",
    description: "write the state as a fixture document at the end",
    read: readFileName,
  },
  {
    key: "record",
    name: "record",
    value: "<url>",
    secret: true,
    description: "ask this service what chat has no answer for, and record it",
    read: readServiceUrl,
  },
  {
    key: "recordRest",
    name: "record-rest",
    value: "<url>",
    secret: true,
    description: "the same for tables that are not there",
    read: readServiceUrl,
  },
  { key: "watch", name: "watch", description: "load the fixtures anew when they change" },
  {
    key: "skipUnsupported",
    name: "skip-unsupported",
    description: "leave out what is not supported of SQL dumps",
  },
  {
    key: "log",
    name: "log",
    value: "<format>",
    description: `how requests are logged (default: pretty): ${logFormats.join(", ")}`,
    read: oneOf(logFormats),
  },
];

/** What a switch sets its property to. */
export function switchValue({ name }: StartOption): boolean {
  return !name.startsWith("no-");
}

/** What `check` and `generate` share with `start`: how fixtures are read. */
export const fixtureOptions: readonly StartOption[] = startOptions.filter(({ key }) =>
  fixtureKeys.some((own) => own === key),
);
