import { type CommandOption, UsageError } from "./command.ts";
import { oneOf, readFileName, readKey, readServiceUrl } from "./option-values.ts";
import { pickOptions, type StartFlags } from "./settings.ts";

const formats = ["table", "json", "junit"] as const;
const kinds = ["cassettes", "contract"] as const;

const emulatorKeys = ["profile", "restProfile", "chatProfile", "skipUnsupported"] as const;

/** The options of `start` that decide how fixtures are read, and how the emulator of them behaves. */
export type EmulatorFlags = Pick<StartFlags, (typeof emulatorKeys)[number]>;

/** The same as options. */
export const emulatorOptions: readonly CommandOption[] = pickOptions(emulatorKeys);

/** The options of `verify` as they were given; what is left out was not given. */
export interface VerifyFlags extends EmulatorFlags {
  readonly against?: string;
  readonly restAgainst?: string;
  readonly apiKey?: string;
  readonly token?: string;
  readonly writes?: boolean;
  readonly rate?: number;
  readonly timeout?: number;
  readonly only?: (typeof kinds)[number];
  readonly format?: (typeof formats)[number];
  readonly out?: string;
}

/** The options of `verify`, in the order in which help shows them. */
export const verifyOptions: readonly CommandOption[] = [
  {
    name: "against",
    value: "<url>",
    secret: true,
    description: "the real service: what /v1 is there, such as https://api.example.com/v1",
    read: readServiceUrl,
  },
  {
    name: "rest-against",
    value: "<url>",
    secret: true,
    description: "what /rest is there, such as https://db.example.com/rest",
    read: readServiceUrl,
  },
  {
    name: "api-key",
    value: "<k>",
    secret: true,
    variable: "OPENAI_API_KEY",
    description: "the service's key for chat (default: OPENAI_API_KEY)",
    read: readKey,
  },
  {
    name: "token",
    value: "<t>",
    secret: true,
    variable: "AUTHORIZATION_TOKEN",
    description: "the service's token for tables (default: AUTHORIZATION_TOKEN)",
    read: readKey,
  },
  { name: "writes", description: "send requests that change something, too" },
  {
    name: "rate",
    value: "<n>",
    description: "requests a second at most (default: 5)",
    read: readRate,
  },
  {
    name: "timeout",
    value: "<ms>",
    description: "how long an answer may take (default: 60000)",
    read: readTimeout,
  },
  {
    name: "only",
    value: "<what>",
    description: `${kinds.join(" or ")} (default: cassettes where there are some, else the contract)`,
    read: oneOf(kinds),
  },
  {
    name: "format",
    value: "<format>",
    description: `of the report (default: table): ${formats.join(", ")}`,
    read: oneOf(formats),
  },
  {
    name: "out",
    short: "o",
    value: "<file>",
    description: "write the report to this file, and the table to stdout",
    read: readFileName,
  },
];

const decimal = /^(?:\d+\.?\d*|\.\d+)$/;
const greatestRate = 1000;

function readRate(text: string): number {
  const rate = decimal.test(text) ? Number(text) : 0;
  if (rate >= 0.001 && rate <= greatestRate) return rate;
  throw new UsageError(`Give a number above 0, at most ${greatestRate}, such as 5 or 0.5.`);
}

/** Timers take no more. */
const longestTimeout = 2_147_483_647;

function readTimeout(text: string): number {
  const ms = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (ms >= 1 && ms <= longestTimeout) return ms;
  throw new UsageError("Give milliseconds, 1 or more, such as 60000.");
}
