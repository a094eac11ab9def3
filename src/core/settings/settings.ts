import type { ChatProfileName } from "../chat/profiles.ts";
import type { LoadRule } from "../chat/load.ts";
import type { RateLimits } from "../chat/rate-limiter.ts";
import type { Pace } from "../chat/scripts/script.ts";
import type { TokenizerName } from "../chat/tokens/tokenizer.ts";
import { invalidOption } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/show.ts";
import { defaultToken } from "../tables/default-token.ts";
import type { TablesProfileName } from "../tables/profiles.ts";
import { Findings, check, type Schema, withRule } from "../schema/schema.ts";
import { isObject } from "../schema/json.ts";
import { closedObject, optional, required } from "../schema/objects.ts";
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
  positiveCount,
  secret,
  text,
  textLike,
  wholeNumber,
} from "../schema/values.ts";

/** The emulator's settings. Each defaults to the fixtures' config, then to the default named here. */
export interface EmulatorSettings {
  /** The seed of ids, jitter and other random choices, a whole number. Default: a different one each time. */
  readonly seed?: number;
  /** A fixed time for replies: an ISO date, a Date or Unix time in milliseconds. Default: real time. */
  readonly clock?: string | number | Date;
  /** Which observed or documented behaviour each interface reproduces. Default: `document` for both. */
  readonly profiles?: {
    readonly tables?: TablesProfileName;
    readonly chat?: ChatProfileName;
  };
  /** The token that tables require. Default: `local-token`. */
  readonly token?: string;
  /** The keys that chat accepts. Default: any non-empty key. */
  readonly apiKeys?: readonly string[];
  /** Set to false to accept requests without a key. Default: true. */
  readonly auth?: boolean;
  /**
   * Set to false to send no CORS headers and answer no preflights. `origins` (`https://app.example`; `*`: all) are
   * those whose pages a server answers besides pages of this machine. Default: pages of this machine alone.
   */
  readonly cors?: boolean | { readonly origins: readonly string[] };
  /**
   * Names (`app.test`; `*`: any) in the header `Host` that a server on a loopback address accepts besides `localhost`
   * and addresses. Default: none.
   */
  readonly hosts?: readonly string[];
  /** The path prefixes of both interfaces. Default: `["/", "/v1"]`. */
  readonly basePath?: string | readonly string[];
  /** Speeds up the pace of replies: 2 is twice as fast, 0 does not wait. Default: 1. */
  readonly speed?: number;
  /** Set to true to answer a chat that no script matches with an error instead of an echo. */
  readonly strict?: boolean;
  /** Delays every reply by this many milliseconds, or by a random time between two numbers. Default: 0. */
  readonly latency?: number | readonly [number, number];
  /** The largest request body, in bytes. Default: 10 MB (10,000,000). A larger body is answered 413. */
  readonly bodyLimit?: number;
  /** How many bytes all stored rows may take, approximately. Default: 600 MB. A write beyond that is answered 507. */
  readonly rowsLimit?: number;
  /**
   * How many bytes the scripts, faults, recordings and stored answers that are added at run time may take,
   * approximately. Default: 100 MB. What is beyond that is answered 507.
   */
  readonly addedLimit?: number;
  /**
   * How many bytes of bodies a Node server holds: of requests until they are answered, of answers until they are
   * written. Default: 200 MB. Requests beyond that are answered 503.
   */
  readonly bodiesLimit?: number;
  /** How many connections a Node server serves at the same time. Default: 20,000. Others are answered 503. */
  readonly maxConnections?: number;
  /** The token that the control API requires. Callers with it may come from other machines. Default: none. */
  readonly controlToken?: string;
  /** How many sessions are kept. The least recently used are dropped. Default: 1,000. */
  readonly maxSessions?: number;
  /** Set to false to keep no requests: the journal stays empty. Default: true. */
  readonly journal?: boolean;
  /**
   * How many requests the journal of each session keeps, with their replies. All of them together keep at most 64 MB.
   * Default: 1,000; 0 keeps none.
   */
  readonly journalSize?: number;
  /**
   * Origins (`https://api.example.com`) of which the emulator answers every request that msw intercepts, unknown
   * paths included. On other origins it answers only the interfaces' own paths.
   */
  readonly origins?: readonly string[];
}

/** Options that do not become a setting of the same form. */
type Other = "seed" | "clock" | "profiles" | "basePath" | "strict" | "latency" | "controlToken";

/** Settings with a value from an option, else the config, else the default in the table. */
export interface PlainSettings extends Required<Omit<EmulatorSettings, Other>> {
  readonly seed: number | undefined;
  /** Unix time in milliseconds. Undefined: the real time. */
  readonly clock: number | undefined;
  /** The shortest and the longest latency, in milliseconds. */
  readonly latency: readonly [number, number];
  readonly controlToken: string | undefined;
  /** How tokens are counted. */
  readonly tokenizer: TokenizerName;
  /** Rate limits of chat. */
  readonly limits: RateLimits;
}

/** Settings that a fixture set may carry. Options and the environment win over them. */
export interface FixtureSettings extends Partial<PlainSettings> {
  readonly tablesProfile?: TablesProfileName;
  readonly chatProfile?: ChatProfileName;
  readonly unmatched?: "echo" | "error";
  /** What happens to a chat whose model is not in the list. */
  readonly unknownModels?: "accept" | "error";
  /** The pace of streams whose reply sets none. */
  readonly pace?: Pace;
  /** How many chats are answered at the same time. The first rule for a chat's model counts. */
  readonly load?: readonly LoadRule[];
  readonly basePath?: readonly string[];
  /** The address that the Node server listens on. */
  readonly port?: number;
  readonly host?: string;
}

/** A setting as an option of `createEmulator`. Its config side is in `config-keys.ts`, which no page loads. */
interface Setting {
  /** The schema of the option. Undefined: only the config has the setting. */
  readonly option?: Schema<unknown>;
  /** Turns a valid option into the setting. Default: the option is the setting. */
  readonly read?: (option: never) => unknown;
}

type Table = {
  readonly [Name in keyof PlainSettings]: Setting & { readonly default: PlainSettings[Name] };
} & Readonly<Record<Exclude<keyof EmulatorSettings, keyof PlainSettings>, Setting>>;

/** The port of the Node server unless set otherwise. */
export const defaultPort = 4010;

/** What `hosts` accepts: a host name without a port, or `*` for any. */
export const hostPattern: RegExp = /^(?:\*|[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;

/**
 * What `origins` accepts: an origin as browsers send it, or `*` for any. A page without an origin, such as a file,
 * sends `null`.
 */
export const originPattern: RegExp = /^(?:\*|null|[a-z][a-z\d+.-]*:\/\/[a-z\d_.:[\]-]+)$/;

const site = textLike(originPattern, 'Expected an origin in lower case, such as "https://a.test"');
const hostName = textLike(hostPattern, 'Expected a name without a port, such as "app.test"');
const path = textLike(/^\/[^?#\s]*$/, 'Expected a path that begins with "/", such as "/v1"');

/** One row per setting. */
const table: Table = {
  token: { option: secret(nonEmptyText), default: defaultToken },
  apiKeys: { option: secret(arrayOf(nonEmptyText)), default: [] },
  seed: { option: wholeNumber, default: undefined },
  clock: {
    option: anyTime(),
    read: (time: string | number | Date) => new Date(time).getTime(),
    default: undefined,
  },
  profiles: { option: profileNames() },
  tokenizer: { default: "estimate" },
  limits: { default: {} },
  basePath: { option: oneOrSeveral(path, "a path, or an array of paths") },
  auth: { option: flag, default: true },
  cors: {
    option: byKind('true, false or {"origins": [...]}', {
      boolean: flag,
      object: closedObject({
        origins: required(arrayOf(site), "Origins that may call besides this machine's; `*`: any."),
      }),
    }),
    default: true,
  },
  hosts: { option: arrayOf(hostName), default: [] },
  speed: { option: number({ least: 0 }), default: 1 },
  strict: { option: flag },
  latency: { option: range(), read: bounds, default: [0, 0] },
  bodyLimit: { option: count, default: 10_000_000 },
  rowsLimit: { option: count, default: 600_000_000 },
  addedLimit: { option: count, default: 100_000_000 },
  bodiesLimit: { option: count, default: 200_000_000 },
  maxConnections: { option: positiveCount, default: 20_000 },
  controlToken: { option: secret(nonEmptyText), default: undefined },
  maxSessions: { option: positiveCount, default: 1000 },
  journal: { option: flag, default: true },
  journalSize: { option: count, default: 1000 },
  origins: {
    option: arrayOf(origin()),
    read: (urls: readonly string[]) => urls.map((url) => new URL(url).origin),
    default: [],
  },
};

/** Names of profiles by interface. Registration decides which exist. */
function profileNames(): Schema<unknown> {
  const names = closedObject({
    tables: optional(text),
    chat: optional(text),
  });
  return {
    check: (value, run) => {
      const given = isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([, name]) => name !== undefined))
        : value;
      names.check(given, run);
    },
    json: names.json,
  };
}

/** A value, or a list of them. */
export function oneOrSeveral<Value>(item: Schema<Value>, what: string): Schema<Value | Value[]> {
  return choice([item, nonEmptyArray(item)], what, (value) => (Array.isArray(value) ? 1 : 0));
}

/** A number of milliseconds, or a range of them. */
function range(): Schema<number | readonly number[]> {
  const what = "milliseconds, or the shortest and the longest time";
  const numbers = oneOrSeveral(milliseconds, what);
  return withRule(numbers, (value, run) => {
    const [least = 0, greatest = least, ...more] = [value].flat();
    if (greatest < least || more.length > 0) run.mustBe(what);
  });
}

/** The shortest and the longest latency; a single number is both. */
export function bounds(latency: number | readonly number[]): readonly [number, number] {
  const [least = 0, greatest = least] = [latency].flat();
  return [least, greatest];
}

/** A time in any form that JavaScript knows. */
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

/** The schema of a setting's option. Undefined: there is no such option. */
export function optionSchema(name: string): Schema<unknown> | undefined {
  return new Map(rows).get(name)?.option;
}

/** The settings with plain values. Throws `ERR_OPTION_INVALID` for an invalid option. */
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

/** Reads one option. Undefined: it was not given. Throws `ERR_OPTION_INVALID` for an invalid value. */
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
  // JSON, which schemas describe, has no infinite numbers and no NaN.
  if ([value].flat().some((one) => typeof one === "number" && !Number.isFinite(one))) {
    findings.report([name], `"${name}" must be a finite number.`);
  } else check(schema, value, { path: [name], findings });
  const [problem] = findings.list;
  if (problem === undefined) return;
  const message = problem.message.replace(`"${name}" must`, "it must");
  throw invalidOption(`Cannot use the option ${name}: ${message}`);
}

/** Advice for unknown options that are meant for another key or another function. */
const places: Readonly<Record<string, string>> = {
  tablesProfile: 'Write profiles: { tables: "starbasedb" }.',
  chatProfile: 'Write profiles: { chat: "openai" }.',
  from: "It belongs to session(id, { from }) and createTest({ emulator, from }).",
  skipUnsupported: "It belongs to loadFixtures, whose result you can pass as fixtures.",
};

/**
 * Refuses unknown options and invalid values of those in `own`. Settings are checked when they are read. `elsewhere`
 * has advice for options of other functions. Throws `ERR_OPTION_INVALID`.
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
      throw invalidOption(
        `Cannot use the option "${name}": there is no such option.${hint} Use: ${names.join(", ")}.`,
      );
    }
    const schema = own[name];
    if (schema !== undefined && value !== undefined) checkOption(name, schema, value);
  }
}
