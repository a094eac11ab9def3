import type { RateLimits } from "../chat/rate-limiter.ts";
import type { Pace } from "../chat/scripts/script.ts";
import type { TokenizerName } from "../chat/tokens/tokenizer.ts";
import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { showValue } from "../errors/show.ts";
import { Findings } from "../schema/findings.ts";
import { isObject } from "../schema/json.ts";
import { closedObject, optional } from "../schema/objects.ts";
import { check, type Schema, withRule } from "../schema/schema.ts";
import {
  arrayOf,
  byKind,
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
    readonly tables?: "document" | "starbasedb";
    /** Another name of `tables`. */
    readonly rest?: "document" | "starbasedb";
    readonly chat?: "document" | "openai";
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
  readonly restProfile?: "document" | "starbasedb";
  readonly chatProfile?: "document" | "openai";
  readonly unmatched?: "echo" | "error";
  /** For streams whose reply has none. */
  readonly pace?: Pace;
  readonly basePath?: readonly string[];
  /** Where the Node server listens. */
  readonly port?: number;
  readonly host?: string;
}

/** A setting, for all that read it: `createEmulator`, the config, Vite, the command line and the reference pages. */
interface Setting {
  /** What the option of `createEmulator` may be. Left out: only the config has it. */
  readonly option?: Schema<unknown>;
  /** What the config may have, and what its reference says. Left out: only the option exists. */
  readonly config?: {
    /** Default: the setting's name. */
    readonly key?: string;
    /** Default: that of the option. */
    readonly schema?: Schema<unknown>;
    readonly help: string;
  };
  /** Makes the setting of an option that fits. Default: it is the setting. */
  readonly read?: (option: never) => unknown;
}

type Table = {
  readonly [Name in keyof PlainSettings]: Setting & { readonly default: PlainSettings[Name] };
} & Readonly<
  Record<Exclude<keyof EmulatorSettings, keyof PlainSettings> | "chat" | "port" | "host", Setting>
>;

const path = textLike(/^\/[^?#\s]*$/, 'Expected a path that begins with "/", such as "/v1"');

/** How fast a stream comes. */
export const pace: Schema<Pace> = closedObject({
  firstTokenMs: optional(milliseconds, "Milliseconds before the first piece. Default: 0."),
  tokensPerSecond: optional(number({ above: 0 }), "Pieces per second. Not together with `gapMs`."),
  gapMs: optional(milliseconds, "Milliseconds between two pieces."),
  jitter: optional(
    number({ least: 0, most: 1 }),
    "Each gap is longer or shorter by up to this share of it, at random from the seed. Default: 0.",
  ),
  by: optional(
    byKind(`"token", "word", "character" or a number`, {
      string: oneOf(["token", "word", "character"]),
      number: positiveCount,
    }),
    "What a piece is; a number is that many characters. Default: `token`.",
  ),
});

const profiles = {
  rest: oneOf(["document", "starbasedb"]),
  chat: oneOf(["document", "openai"]),
};

/** A row for each setting. The config's reference shows them in this order. */
const table: Table = {
  token: {
    option: secret(nonEmptyText),
    config: {
      key: "AUTHORIZATION_TOKEN",
      help: "The token that guards the tables. Default: `local-token`.",
    },
    default: "local-token",
  },
  apiKeys: {
    option: secret(arrayOf(nonEmptyText)),
    config: {
      help: "The keys that chat accepts. Without any, every key is accepted that is not empty.",
    },
    default: [],
  },
  seed: {
    option: wholeNumber,
    config: {
      help: "Makes ids, random numbers and generated rows the same in each run. Default for generated rows: 1.",
    },
    default: undefined,
  },
  clock: {
    option: anyTime(),
    read: (time: string | number | Date) => new Date(time).getTime(),
    config: {
      schema: text,
      help: "The time at which the clock stands, such as `2024-01-01T00:00:00Z`. Default: it runs.",
    },
    default: undefined,
  },
  profiles: {
    option: profileNames(),
    read: ({ tables, ...others }: NonNullable<EmulatorSettings["profiles"]>) =>
      tables === undefined ? others : { ...others, rest: tables },
    config: {
      schema: closedObject({
        rest: optional(profiles.rest, "That of the tables. Default: `document`."),
        chat: optional(profiles.chat, "That of chat. Default: `document`."),
      }),
      help: "Whose behaviour is reproduced where the documents are silent.",
    },
  },
  chat: {
    config: {
      schema: closedObject({
        unmatched: optional(
          oneOf(["echo", "error"]),
          "What a chat gets that no script matches. Default: `echo`.",
        ),
        pace: optional(pace, "How fast streams come whose reply has no pace. Default: at once."),
      }),
      help: "Settings of chat.",
    },
  },
  tokenizer: {
    config: {
      schema: oneOf(["estimate", "o200k_base", "cl100k_base"]),
      help: "What chat counts tokens by: a quick estimate, or a real encoding. Default: `estimate`.",
    },
    default: "estimate",
  },
  limits: {
    config: {
      schema: closedObject({
        requestsPerMinute: optional(positiveCount, "Chat requests. Default: any number."),
        tokensPerMinute: optional(
          positiveCount,
          "Tokens of requests and replies. Default: any number.",
        ),
      }),
      help: "How much chat answers in a minute; more gets 429. Default: no limits.",
    },
    default: {},
  },
  basePath: {
    option: oneOrSeveral(path, "a path, or an array of paths"),
    config: { help: 'Where both interfaces are mounted. Default: `["/", "/v1"]`.' },
  },
  auth: {
    option: flag,
    config: { help: "False: neither interface asks for a key. Default: true." },
    default: true,
  },
  cors: {
    option: flag,
    config: { help: "False: no page of another origin may call. Default: true." },
    default: true,
  },
  speed: {
    option: number({ least: 0 }),
    config: { help: "Factor on the pace of replies; 0 does not wait. Default: 1." },
    default: 1,
  },
  strict: { option: flag },
  latency: {
    option: range(),
    read: bounds,
    config: {
      help: "Milliseconds that each reply is held back; two numbers: evenly spread between them. Default: 0.",
    },
    default: [0, 0],
  },
  bodyLimit: { option: count, default: 10_000_000 },
  controlToken: { option: secret(nonEmptyText), default: undefined },
  maxSessions: { option: positiveCount, default: 1000 },
  journalSize: { option: count, default: 1000 },
  origins: {
    option: arrayOf(origin()),
    read: (urls: readonly string[]) => urls.map((url) => new URL(url).origin),
    default: [],
  },
  port: {
    config: {
      schema: number({ whole: true, least: 0, most: 65_535 }),
      help: "Where the server listens; 0 picks a free port. Default: 4010.",
    },
  },
  host: {
    config: {
      schema: nonEmptyText,
      help: "Where the server listens. Default: `127.0.0.1`.",
    },
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
      if (!isObject(value)) return names.check(value, run);
      const given = Object.entries(value).filter(([, name]) => name !== undefined);
      const named = Object.fromEntries(given);
      names.check(named, run);
      if (Object.hasOwn(named, "tables") && Object.hasOwn(named, "rest")) {
        const shown = `its value is ${showValue(value)}`;
        run.refuse(`${shown}. Give an object with "tables", "chat" or both.`);
      }
    },
    json: names.json,
  };
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

/** The settings that the config may have: its keys, and for each the setting's name, its schema and its help. */
export const configKeys: ReadonlyMap<
  string,
  { readonly name: string; readonly schema: Schema<unknown>; readonly help: string }
> = new Map(
  rows.flatMap(([name, { option = text, config }]) => {
    if (config === undefined) return [];
    const { key = name, schema = option, help } = config;
    return [[key, { name, schema, help }] as const];
  }),
);

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
