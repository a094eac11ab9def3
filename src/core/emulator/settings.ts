import { didYouMean } from "../errors/nearest-name.ts";
import { EmulatorError } from "../errors/emulator-error.ts";
import type { FixtureSettings } from "../fixture-set/fixture-set.ts";
import { type ChatProfile, chatProfiles } from "../chat/profiles.ts";
import type { RateLimits } from "../chat/rate-limiter.ts";
import type { Pace } from "../chat/scripts/script.ts";
import type { TokenizerName } from "../chat/tokens/tokenizer.ts";
import { documentProfile, type OtherProfiles, type RestProfile } from "../rest/profiles.ts";
import type { StorageRules } from "../store/storage-rules.ts";
import type { JournalLimits } from "./journal/journal.ts";
import { type EmulatorSettings, settingNames } from "./options.ts";
import {
  placeOfSetting,
  readClock,
  readKeys,
  readLatency,
  readNumber,
  readOrigins,
  readPaths,
  readProfiles,
  readToken,
} from "./read-settings.ts";

/** Every setting with its value: options first, then the fixtures' config, then the defaults. */
export interface ResolvedSettings {
  readonly seed: number | undefined;
  /** The fixed time in milliseconds, or undefined for the real one. */
  readonly clock: number | undefined;
  readonly restProfile: RestProfile;
  readonly chatProfile: ChatProfile;
  /** Null: no key is asked for. */
  readonly tokens: readonly string[] | null;
  /** Null: no key is asked for. Empty: any key will do. */
  readonly apiKeys: readonly string[] | null;
  readonly cors: boolean;
  /** Where chat is mounted. Without a trailing slash, the longest first. */
  readonly basePaths: readonly string[];
  /** The same for the tables. */
  readonly restBasePaths: readonly string[];
  readonly speed: number;
  readonly unmatched: "echo" | "error";
  /** That of streams whose reply has none. */
  readonly pace: Pace | undefined;
  readonly tokenizer: TokenizerName;
  /** How much chat answers in a minute. */
  readonly limits: RateLimits;
  readonly latency: readonly [number, number];
  readonly bodyLimit: number;
  /** What callers of the control API have to show. */
  readonly controlToken: string | undefined;
  /** How many sessions are kept besides the base session. */
  readonly maxSessions: number;
  /** How much the journal of each session keeps. */
  readonly journalLimits: JournalLimits;
  readonly origins: readonly string[];
}

const defaultToken = "local-token";
const defaultBodyLimit = 10_000_000;
const defaultMaxSessions = 1000;
const defaultJournalSize = 1000;
/** Of one session's journal. */
const journalBytes = 20_000_000;

/** Brings options and config together. Throws `ERR_OPTION_INVALID` for an option that is unknown or out of range. */
export function resolveSettings(
  options: EmulatorSettings,
  config: FixtureSettings,
  extras: OtherProfiles = {},
): ResolvedSettings {
  refuseUnknownSettings(options);
  const profiles = resolveProfiles(options, config, extras);
  const basePath = options.basePath ?? config.basePath;
  return {
    seed: readNumber("seed", options.seed, { whole: true }) ?? config.seed,
    clock: readClock(options.clock) ?? config.clock,
    ...profiles,
    ...resolveKeys(options, config),
    cors: options.cors ?? config.cors ?? true,
    basePaths: readPaths(basePath ?? ["/", "/v1"]),
    restBasePaths: readPaths(basePath ?? profiles.restProfile.basePaths),
    ...resolveTiming(options, config),
    unmatched: resolveUnmatched(options, config),
    tokenizer: config.tokenizer ?? "estimate",
    limits: config.limits ?? {},
    bodyLimit:
      readNumber("bodyLimit", options.bodyLimit, { whole: true, least: 0 }) ?? defaultBodyLimit,
    controlToken: readToken("controlToken", options.controlToken),
    maxSessions:
      readNumber("maxSessions", options.maxSessions, { whole: true, least: 1 }) ??
      defaultMaxSessions,
    journalLimits: {
      entries:
        readNumber("journalSize", options.journalSize, { whole: true, least: 0 }) ??
        defaultJournalSize,
      bytes: journalBytes,
    },
    origins: readOrigins(options.origins ?? []),
  };
}

function resolveKeys(
  options: EmulatorSettings,
  config: FixtureSettings,
): Pick<ResolvedSettings, "tokens" | "apiKeys"> {
  const token = readToken("token", options.token) ?? config.token ?? defaultToken;
  const apiKeys = readKeys(options.apiKeys) ?? config.apiKeys ?? [];
  const isGuarded = options.auth ?? config.auth ?? true;
  return isGuarded ? { tokens: [token], apiKeys } : { tokens: null, apiKeys: null };
}

/** What opens the emulator. */
export function ownKeysOf({
  tokens,
  apiKeys,
  controlToken,
}: Pick<ResolvedSettings, "tokens" | "apiKeys" | "controlToken">): readonly string[] {
  return [
    ...(tokens ?? []),
    ...(apiKeys ?? []),
    ...(controlToken === undefined ? [] : [controlToken]),
  ];
}

function resolveTiming(
  options: EmulatorSettings,
  config: FixtureSettings,
): Pick<ResolvedSettings, "speed" | "latency" | "pace"> {
  return {
    speed: readNumber("speed", options.speed, { least: 0 }) ?? config.speed ?? 1,
    latency: readLatency(options.latency === undefined ? config.latency : options.latency),
    pace: config.pace,
  };
}

function resolveUnmatched(options: EmulatorSettings, config: FixtureSettings): "echo" | "error" {
  if (options.strict === undefined) return config.unmatched ?? "echo";
  return options.strict ? "error" : "echo";
}

function resolveProfiles(
  options: EmulatorSettings,
  config: FixtureSettings,
  extras: OtherProfiles,
): Pick<ResolvedSettings, "restProfile" | "chatProfile"> {
  const chat = readProfiles(options.profiles).chat ?? config.chatProfile ?? "document";
  return {
    restProfile: resolveRestProfile(options, config.restProfile, extras),
    chatProfile: pickProfile("chat", chat, chatProfiles),
  };
}

function resolveRestProfile(
  options: EmulatorSettings,
  configured: FixtureSettings["restProfile"],
  { tableProfiles = [] }: OtherProfiles,
): RestProfile {
  const name = readProfiles(options.profiles).rest ?? configured ?? "document";
  const profiles = [documentProfile, ...tableProfiles];
  return pickProfile("rest", name, new Map(profiles.map((profile) => [profile.name, profile])));
}

/** The storage rules of the tables under these options, where the fixtures' config may name the profile. */
export function storageFor(
  options: EmulatorSettings,
  extras: OtherProfiles,
): (configured: FixtureSettings["restProfile"]) => StorageRules {
  return (configured) => resolveRestProfile(options, configured, extras).storage;
}

function pickProfile<Profile>(
  which: string,
  name: string,
  profiles: ReadonlyMap<string, Profile>,
): Profile {
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const known = [...profiles.keys()];
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot use the ${which} profile "${name}": there is no such profile.${didYouMean(name, known)} ` +
      `Use one of: ${known.join(", ")}.`,
  );
}

/** The settings, and what `createEmulator` takes besides. */
const optionNames: readonly string[] = ["fixtures", "observer", "tables", ...settingNames];

function refuseUnknownSettings(options: EmulatorSettings): void {
  for (const name of Object.keys(options)) {
    if (settingNames.some((known) => known === name)) continue;
    throw new EmulatorError(
      "ERR_OPTION_INVALID",
      `Cannot use the option "${name}": there is no such option.${placeOfSetting(name) || didYouMean(name, optionNames)} ` +
        `Use: ${optionNames.join(", ")}.`,
    );
  }
}
