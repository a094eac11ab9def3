import type { EmulatorSettings } from "../../core/emulator/options.ts";
import type { StartFlags } from "./start-options.ts";

type Profiles = NonNullable<EmulatorSettings["profiles"]>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The command line wins over the environment; so does its `--profile` over the environment's finer ones. */
export function mergeFlags(environment: StartFlags, commandLine: StartFlags): StartFlags {
  const { restProfile: _rest, chatProfile: _chat, ...others } = environment;
  const below = commandLine.profile === undefined ? environment : others;
  return { ...below, ...commandLine };
}

/** What the emulator is told of the options. */
export function emulatorSettings(flags: StartFlags): EmulatorSettings {
  const settings: Mutable<EmulatorSettings> = {};
  const { seed, clock, token, auth, cors, speed, strict, latency } = flags;
  const { apiKey, basePath, controlToken, maxSessions } = flags;
  if (seed !== undefined) settings.seed = seed;
  if (clock !== undefined) settings.clock = clock;
  if (token !== undefined) settings.token = token;
  if (apiKey !== undefined) settings.apiKeys = apiKey;
  if (auth !== undefined) settings.auth = auth;
  if (cors !== undefined) settings.cors = cors;
  if (basePath !== undefined) settings.basePath = basePath;
  if (speed !== undefined) settings.speed = speed;
  if (strict !== undefined) settings.strict = strict;
  if (latency !== undefined) settings.latency = latency;
  if (controlToken !== undefined) settings.controlToken = controlToken;
  if (maxSessions !== undefined) settings.maxSessions = maxSessions;
  return { ...settings, profiles: profiles(flags) };
}

/** Both profiles at once, and the finer options over that. */
const pairs: ReadonlyMap<string | undefined, Profiles> = new Map([
  ["document", { rest: "document", chat: "document" }],
  ["observed", { rest: "starbasedb", chat: "openai" }],
]);

function profiles({ profile, restProfile, chatProfile }: StartFlags): Profiles {
  return {
    ...pairs.get(profile),
    ...(restProfile === undefined ? {} : { rest: restProfile }),
    ...(chatProfile === undefined ? {} : { chat: chatProfile }),
  };
}
