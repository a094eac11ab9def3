import { didYouMean, showText } from "../errors/show.ts";
import { invalidOption } from "../errors/emulator-error.ts";
import {
  checkOptions,
  type EmulatorSettings,
  type FixtureSettings,
  type PlainSettings,
  readOption,
  readPlainSettings,
} from "./settings.ts";
import { type ChatEndpoint, chatEndpoints } from "../chat/endpoints.ts";
import { type ChatProfile, chatProfiles } from "../chat/profiles.ts";
import type { LoadRule } from "../chat/load.ts";
import type { Pace } from "../chat/scripts/script.ts";
import { jsonValue } from "../schema/values.ts";
import { documentProfile, type OtherProfiles, type TablesProfile } from "../tables/profiles.ts";
import type { StorageRules } from "../store/storage-rules.ts";

type Replaced = "token" | "apiKeys" | "auth" | "cors";

/** Every setting with its value: options first, then the fixtures' config, then the defaults. */
export interface ResolvedSettings extends Omit<PlainSettings, Replaced> {
  /** The endpoints of chat, with those of extras. */
  readonly chatEndpoints: readonly ChatEndpoint[];
  readonly tablesProfile: TablesProfile;
  readonly chatProfile: ChatProfile;
  /** Null: no key is needed. */
  readonly tokens: readonly string[] | null;
  /** Null: no key is needed. Empty: any key is accepted. */
  readonly apiKeys: readonly string[] | null;
  /** Where chat is mounted. Without a trailing slash, longest first. */
  readonly basePaths: readonly string[];
  /** Where the tables are mounted. Without a trailing slash, longest first. */
  readonly tablesBasePaths: readonly string[];
  readonly unmatched: "echo" | "error";
  readonly unknownModels: "accept" | "error";
  /** The pace of streams whose reply sets none. */
  readonly pace: Pace | undefined;
  /** How many chats are answered at the same time. Empty: there is no limit. */
  readonly load: readonly LoadRule[];
  /** Whether pages of other origins can read replies. */
  readonly cors: boolean;
  /** The origins whose pages are served besides those of this machine. `*`: all. */
  readonly allowedOrigins: readonly string[];
}

/** Options of `createEmulator` that are not settings. Other code reads them. */
const besides = { fixtures: jsonValue, observer: jsonValue, tables: jsonValue };

/** What extras add to the interfaces. */
export interface InterfaceExtras extends OtherProfiles {
  /** Endpoints of chat besides those of the core. */
  readonly chatEndpoints?: readonly ChatEndpoint[];
}

/** Throws `ERR_OPTION_INVALID` for unknown options of `createEmulator`, before the emulator is created. */
export function checkEmulatorOptions(options: object): void {
  checkOptions(options, besides);
}

/** Combines options and config. Throws `ERR_OPTION_INVALID` for an unknown or invalid option. */
export function resolveSettings(
  options: EmulatorSettings,
  config: FixtureSettings,
  extras: InterfaceExtras = {},
): ResolvedSettings {
  checkOptions(options, besides);
  const { token, apiKeys, auth, cors, ...plain } = readPlainSettings(options, config);
  const profiles = resolveProfiles(options, config, extras);
  const basePath = readOption("basePath", options) ?? config.basePath;
  return {
    ...plain,
    ...profiles,
    chatEndpoints: [...chatEndpoints, ...(extras.chatEndpoints ?? [])],
    tokens: auth ? [token] : null,
    apiKeys: auth ? apiKeys : null,
    basePaths: readPaths(basePath ?? ["/", "/v1"]),
    tablesBasePaths: readPaths(basePath ?? profiles.tablesProfile.basePaths),
    unmatched: resolveUnmatched(options, config),
    unknownModels: config.unknownModels ?? "error",
    pace: config.pace,
    load: config.load ?? [],
    cors: cors !== false,
    allowedOrigins: typeof cors === "boolean" ? [] : cors.origins,
  };
}

/** Mount points as prefixes without a trailing slash, longest first, so that the best match is found first. */
function readPaths(paths: string | readonly string[]): readonly string[] {
  const given = [paths].flat();
  const taken = given.find((path) => /^\/(?:__backlot(?:\/|$)|@[^/])/.test(path));
  if (taken !== undefined) {
    throw invalidOption(
      `Cannot use the option basePath: its value is ${showText(taken)}. Give another path: ` +
        '"/__backlot" is the control API, and "/@" begins a session\'s prefix.',
    );
  }
  const prefixes = given.map((path) => path.replace(/\/+$/, ""));
  return [...new Set(prefixes)].toSorted((left, right) => right.length - left.length);
}

/** The emulator's own keys and tokens. */
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

function resolveUnmatched(options: EmulatorSettings, config: FixtureSettings): "echo" | "error" {
  const strict = readOption("strict", options);
  if (strict === undefined) return config.unmatched ?? "echo";
  return strict ? "error" : "echo";
}

function resolveProfiles(
  options: EmulatorSettings,
  config: FixtureSettings,
  extras: OtherProfiles,
): Pick<ResolvedSettings, "tablesProfile" | "chatProfile"> {
  const chat = readOption("profiles", options)?.chat ?? config.chatProfile ?? "document";
  return {
    tablesProfile: resolveTablesProfile(options, config.tablesProfile, extras),
    chatProfile: pickProfile("chat", chat, chatProfiles),
  };
}

function resolveTablesProfile(
  options: EmulatorSettings,
  configured: FixtureSettings["tablesProfile"],
  { tableProfiles = [] }: OtherProfiles,
): TablesProfile {
  const name = readOption("profiles", options)?.tables ?? configured ?? "document";
  const profiles = [documentProfile, ...tableProfiles];
  return pickProfile("tables", name, new Map(profiles.map((profile) => [profile.name, profile])));
}

/** The storage rules of the tables' profile, which the options or the fixtures' config choose. */
export function storageFor(
  options: EmulatorSettings,
  extras: OtherProfiles,
): (configured: FixtureSettings["tablesProfile"]) => StorageRules {
  return (configured) => resolveTablesProfile(options, configured, extras).storage;
}

function pickProfile<Profile>(
  which: string,
  name: string,
  profiles: ReadonlyMap<string, Profile>,
): Profile {
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const known = [...profiles.keys()];
  throw invalidOption(
    `Cannot use the ${which} profile "${name}": there is no such profile.${didYouMean(name, known)} ` +
      `Use one of: ${known.join(", ")}.`,
  );
}
