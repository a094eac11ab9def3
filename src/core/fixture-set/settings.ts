import type { ChatProfileName } from "../chat/profile-names.ts";
import type { RateLimits } from "../chat/rate-limiter.ts";
import type { Pace } from "../chat/scripts/script.ts";
import type { TokenizerName } from "../chat/tokens/tokenizer.ts";
import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import type { RestProfileName } from "../rest/profiles.ts";
import { Findings } from "../schema/findings.ts";
import { isObject } from "../schema/json.ts";
import { closedObject, optional } from "../schema/objects.ts";
import { check, type Schema, withRule } from "../schema/schema.ts";
import {
  arrayOf,
  choice,
  count,
  flag,
  milliseconds,
  nonEmptyArray,
  nonEmptyText,
  number,
  oneOf,
  positiveCount,
  secret,
  text,
  textLike,
  wholeNumber,
} from "../schema/values.ts";

/** How the emulator behaves. What is left out comes from the fixtures' config, else from the default named here. */
export interface EmulatorSettings {
  /** The whole number that ids, jitter and other random choices follow from. Default: another one each time. */
  readonly seed?: number;
  /** The time that replies tell, fixed: an ISO date, a Date or milliseconds of Unix time. Default: the real time. */
  readonly clock?: string | number | Date;
  /** Which observed or documented behaviour each interface reproduces. Default `document` for both. */
  readonly profiles?: {
    readonly tables?: RestProfileName;
    /** Another name of `tables`. */
    readonly rest?: RestProfileName;
    readonly chat?: ChatProfileName;
  };
  /** The token that guards the tables. Default `local-token`. */
  readonly token?: string;
  /** The keys that chat accepts. Default: any key that is not empty. */
  readonly apiKeys?: readonly string[];
  /** False: neither interface asks for a key. Default true. */
  readonly auth?: boolean;
  /** False: no CORS headers, and no answer to preflights. Default true. */
  readonly cors?: boolean;
  /** Where both interfaces are mounted. Default `["/", "/v1"]`. */
  readonly basePath?: string | readonly string[];
  /** Factor on the pace of replies: 2 is twice as fast, 0 does not wait at all. Default 1. */
  readonly speed?: number;
  /** True: a chat request that no script matches is an error instead of an echo. */
  readonly strict?: boolean;
  /** Milliseconds that every reply is held back; two numbers: evenly spread between them. Default 0. */
  readonly latency?: number | readonly [number, number];
  /** The largest request body, in bytes. Default 10 MB (10,000,000); a larger one is answered 413. */
  readonly bodyLimit?: number;
  /** What callers of the control API have to show, who then may come from beyond this machine. Default: nothing. */
  readonly controlToken?: string;
  /** How many sessions are kept; those go that were not used for the longest time. Default 1,000. */
  readonly maxSessions?: number;
  /** How many requests the journal of each session keeps, in at most 20 MB. Default 1,000; 0 keeps none. */
  readonly journalSize?: number;
  /**
   * Origins (`https://api.example.com`) that are the emulator's alone when msw intercepts requests: whatever
   * is asked of them is answered, unknown paths included. Elsewhere only the interfaces' own paths are.
   */
  readonly origins?: readonly string[];
}

/** Settings that are used as they are read: from an option, else from the config, else the default in the table. */
export interface PlainSettings {
  readonly seed: number | undefined;
  /** Unix time in milliseconds. Undefined: the real time. */
  readonly clock: number | undefined;
  readonly token: string;
  /** None: every key is accepted that is not empty. */
  readonly apiKeys: readonly string[];
  readonly auth: boolean;
  readonly cors: boolean;
  readonly speed: number;
  /** The least and the greatest, in milliseconds. */
  readonly latency: readonly [number, number];
  readonly bodyLimit: number;
  readonly controlToken: string | undefined;
  readonly maxSessions: number;
  readonly journalSize: number;
  readonly origins: readonly string[];
  /** What chat counts tokens by. */
  readonly tokenizer: TokenizerName;
  /** How much chat answers in a minute. */
  readonly limits: RateLimits;
}

/** Settings that a fixture set may carry. Options and the environment win over them. */
export interface FixtureSettings extends Partial<PlainSettings> {
  readonly restProfile?: RestProfileName;
  readonly chatProfile?: ChatProfileName;
  readonly unmatched?: "echo" | "error";
  /** For streams whose reply has none. */
  readonly pace?: Pace;
  readonly basePath?: readonly string[];
  /** Where the Node server listens. */
  readonly port?: number;
  readonly host?: string;
}

/** A setting as an option of `createEmulator`. What the config has is in `config-settings.ts`, which no page loads. */
interface Setting {
  /** What the option may be. Left out: only the config has it. */
  readonly option?: Schema<unknown>;
  /** Makes the setting of an option that fits. Default: it is the setting. */
  readonly read?: (option: never) => unknown;
}

type Table = {
  readonly [Name in keyof PlainSettings]: Setting & { readonly default: PlainSettings[Name] };
} & Readonly<Record<Exclude<keyof EmulatorSettings, keyof PlainSettings>, Setting>>;

/** Where the Node server listens when nobody says so. */
export const defaultPort = 4010;

const path = textLike(/^\/[^?#\s]*$/, 'Expected a path that begins with "/", such as "/v1"');

/** A row for each setting. */
const table: Table = {
  token: { option: secret(nonEmptyText), default: "local-token" },
  apiKeys: { option: secret(arrayOf(nonEmptyText)), default: [] },
  seed: { option: wholeNumber, default: undefined },
  clock: {
    option: anyTime(),
    read: (time: string | number | Date) => new Date(time).getTime(),
    default: undefined,
  },
  profiles: {
    option: profileNames(),
    read: ({ tables, ...others }: NonNullable<EmulatorSettings["profiles"]>) =>
      tables === undefined ? others : { ...others, rest: tables },
  },
  tokenizer: { default: "estimate" },
  limits: { default: {} },
  basePath: { option: oneOrSeveral(path, "a path, or an array of paths") },
  auth: { option: flag, default: true },
  cors: { option: flag, default: true },
  speed: { option: number({ least: 0 }), default: 1 },
  strict: { option: flag },
  latency: { option: range(), read: bounds, default: [0, 0] },
  bodyLimit: { option: count, default: 10_000_000 },
  controlToken: { option: secret(nonEmptyText), default: undefined },
  maxSessions: { option: positiveCount, default: 1000 },
  journalSize: { option: count, default: 1000 },
  origins: {
    option: arrayOf(origin()),
    read: (urls: readonly string[]) => urls.map((url) => new URL(url).origin),
    default: [],
  },
};

/** Names of profiles by interface. Which ones there are is up to what is registered. */
function profileNames(): Schema<unknown> {
  const names = closedObject({
    tables: optional(text),
    rest: optional(text),
    chat: optional(text),
  });
  return {
    check: (value, run) => {
      const given = isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([, name]) => name !== undefined))
        : value;
      oneNameOfTables(names).check(given, run);
    },
    json: names.json,
  };
}

/** Refuses profiles that name that of the tables by both of its names. */
export function oneNameOfTables<Value extends object>(profiles: Schema<Value>): Schema<Value> {
  return withRule(profiles, (value, run) => {
    if (!Object.hasOwn(value, "tables") || !Object.hasOwn(value, "rest")) return;
    run.refuse(
      'Only one of "tables" and "rest" can be given: both name the profile of the tables.',
    );
  });
}

/** A value, or a list of them. */
function oneOrSeveral<Value>(item: Schema<Value>, what: string): Schema<Value | Value[]> {
  return choice([item, nonEmptyArray(item)], what, (value) => (Array.isArray(value) ? 1 : 0));
}

/** Milliseconds, or the least and the greatest of them. */
function range(): Schema<number | readonly number[]> {
  const what = "milliseconds, or the least and the greatest of them";
  const numbers = oneOrSeveral(milliseconds, what);
  return withRule(numbers, (value, run) => {
    const [least = 0, greatest = least, ...more] = [value].flat();
    if (greatest < least || more.length > 0) run.mustBe(what);
  });
}

/** The least and the greatest latency; a single number is both. */
export function bounds(latency: number | readonly number[]): readonly [number, number] {
  const [least = 0, greatest = least] = [latency].flat();
  return [least, greatest];
}

/** A time in any form that JavaScript has. */
function anyTime(): Schema<string | number | Date> {
  return {
    check: (value, run) => {
      const isTime =
        typeof value === "string" || typeof value === "number" || value instanceof Date;
      if (!isTime || Number.isNaN(new Date(value).getTime())) {
        run.mustBe('a date such as "2024-01-01T00:00:00Z"', value);
      }
    },
    json: () => ({}),
  };
}

function origin(): Schema<string> {
  return {
    check: (value, run) => {
      const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
      if (url !== undefined && url.origin !== "null" && url.pathname === "/") return;
      run.mustBe('scheme and host, such as "https://api.example.com"', value);
    },
    json: () => ({ type: "string" }),
  };
}

const rows: readonly (readonly [string, Setting & { readonly default?: unknown }])[] =
  Object.entries(table);

/** The names of all options. */
export const settingNames: readonly string[] = rows.flatMap(([name, { option }]) =>
  option === undefined ? [] : [name],
);

/** What the option of a setting may be. Undefined: there is no such option. */
export function optionSchema(name: string): Schema<unknown> | undefined {
  return new Map(rows).get(name)?.option;
}

/** The settings that are used as they are read. Throws `ERR_OPTION_INVALID` for an option that cannot be. */
export function readPlainSettings(
  options: EmulatorSettings,
  config: FixtureSettings,
): PlainSettings {
  const given: Readonly<Record<string, unknown>> = { ...config };
  const read = rows.map(([name, row]) => [
    name,
    readOption(name as keyof EmulatorSettings, options) ?? given[name] ?? row.default,
  ]);
  return Object.fromEntries(read) as PlainSettings;
}

type Read<Name extends keyof EmulatorSettings> = Name extends keyof PlainSettings
  ? PlainSettings[Name]
  : EmulatorSettings[Name];

/** One option, read. Undefined: it was not given. Throws `ERR_OPTION_INVALID` for a value that cannot be. */
export function readOption<Name extends keyof EmulatorSettings>(
  name: Name,
  options: Pick<EmulatorSettings, Name>,
): Read<Name> | undefined {
  const { option, read }: Setting = table[name];
  const value: unknown = options[name];
  if (value === undefined || option === undefined) return undefined;
  checkOption(name, option, value);
  return (read === undefined ? value : read(value as never)) as Read<Name>;
}

function checkOption(name: string, schema: Schema<unknown>, value: unknown): void {
  const findings = new Findings();
  // JSON, for which schemas are made, has no such numbers.
  if ([value].flat().some((one) => typeof one === "number" && !Number.isFinite(one))) {
    findings.report([name], `"${name}" must be a finite number.`);
  } else check(schema, value, { path: [name], findings });
  const [problem] = findings.list;
  if (problem === undefined) return;
  const message = problem.message.replace(`"${name}" must`, "it must");
  throw new EmulatorError("ERR_OPTION_INVALID", `Cannot use the option ${name}: ${message}`);
}

/**
 * How long what requests change lasts where our own service worker answers. `memory`: until the page is loaded anew, and
 * for this page alone. `tab`: as long as the tab, over reloads. `origin`: until it is reset or the fixtures are others,
 * for all tabs.
 */
export type Persistence = "memory" | "tab" | "origin";

export const persistence: Schema<Persistence> = oneOf(["memory", "tab", "origin"]);

/** Where options belong that are none here: in the fixtures' terms, or for another function. */
const places: Readonly<Record<string, string>> = {
  restProfile: 'Write profiles: { rest: "starbasedb" }.',
  chatProfile: 'Write profiles: { chat: "openai" }.',
  from: "It is one of session(id, { from }), and of createTest({ emulator, from }).",
  skipUnsupported: "It is one of loadFixtures, whose result can be given as fixtures.",
};

/**
 * Refuses options that are neither settings nor `own`, and own ones whose value cannot be; settings are checked when they
 * are read. `elsewhere` says where others belong. Throws `ERR_OPTION_INVALID`.
 */
export function checkOptions(
  options: object,
  own: Readonly<Record<string, Schema<unknown>>>,
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  const names = [...Object.keys(own), ...settingNames];
  const advice = new Map(Object.entries({ ...places, ...elsewhere }));
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) {
      const place = advice.get(name);
      const hint = place === undefined ? didYouMean(name, names) : ` ${place}`;
      throw new EmulatorError(
        "ERR_OPTION_INVALID",
        `Cannot use the option "${name}": there is no such option.${hint} Use: ${names.join(", ")}.`,
      );
    }
    const schema = own[name];
    if (schema !== undefined && value !== undefined) checkOption(name, schema, value);
  }
}
