import { chatProfileNames } from "../chat/profiles.ts";
import type { LoadRule } from "../chat/load.ts";
import type { Pace } from "../chat/scripts/script.ts";
import { tablesProfileNames } from "../tables/profiles.ts";
import { closedObject, optional, required } from "../schema/objects.ts";
import { type Schema, withRule } from "../schema/schema.ts";
import {
  byKind,
  count,
  milliseconds,
  nonEmptyText,
  number,
  oneOf,
  positiveCount,
  text,
} from "../schema/values.ts";
import { paceDelay } from "./delay.ts";
import { defaultPort, type EmulatorSettings, oneOrSeveral, optionSchema } from "./settings.ts";

/** A setting as it appears in the config. */
interface ConfigSetting {
  /** Default: the setting's name. */
  readonly key?: string;
  /** Default: the schema of the option with the same name. */
  readonly schema?: Schema<unknown>;
  readonly help: string;
}

/** How fast a stream is sent. */
export const pace: Schema<Pace> = closedObject({
  headersMs: optional(paceDelay, "Milliseconds before the head, of a JSON reply too. Default: 0."),
  firstTokenMs: optional(
    paceDelay,
    "Milliseconds between the head and the first piece. Default: 0.",
  ),
  tokensPerSecond: optional(number({ above: 0 }), "Pieces per second, instead of `gapMs`."),
  gapMs: optional(paceDelay, "Milliseconds between two pieces."),
  jitter: optional(
    number({ least: 0, most: 1 }),
    "Varies each fixed gap by up to this share, drawn from the seed. Default: 0.",
  ),
  by: optional(
    byKind(`"token", "word", "character" or a number`, {
      string: oneOf(["token", "word", "character"]),
      number: positiveCount,
    }),
    "The size of a piece; a number counts characters. Default: `token`.",
  ),
  toolCalls: optional(
    oneOf(["pieces", "whole", "interleaved"]),
    "How calls come: in pieces, each as a whole, or the pieces of several calls in turn. Default: `pieces`.",
  ),
});

const load: Schema<LoadRule> = closedObject({
  capacity: required(positiveCount, "The most chats that run at the same time."),
  queue: optional(
    count,
    "The most chats that wait for a place, first come, first served. Default: 0.",
  ),
  timeFactor: optional(
    number({ least: 1 }),
    "How many times as long a chat takes at full capacity as alone. Default: 1.",
  ),
  status: optional(
    number({ whole: true, least: 400, most: 599 }),
    "The status of a chat that finds the queue full, such as 503. Default: 429.",
  ),
  retryAfterMs: optional(
    milliseconds,
    "Sent with that status, as `retry-after-ms` and `retry-after`.",
  ),
  per: optional(
    oneOf(["all", "model", "key"]),
    "Who shares the capacity: all chats, those of each model, or those of each key. Default: `all`.",
  ),
  model: optional(nonEmptyText, "Only chats with this model, a glob. Default: any."),
});

/** The first rule that matches a chat applies, so a rule for all models must be the last one. */
const loads = withRule(oneOrSeveral(load, "an object, or an array of objects"), (given, run) => {
  const rules = [given].flat();
  const all = rules.findIndex(({ model = "*" }) => model === "*");
  if (all === -1 || all === rules.length - 1) return;
  run.refuse(
    `Rule ${all + 1} holds for every model, so the rules after it never apply. Put it last.`,
  );
});

const tablesProfile = oneOf(tablesProfileNames);

/** Settings that only an option can set. Any other new option needs a row in the table below. */
type NoKey = "strict" | "bodyLimit" | "controlToken" | "maxSessions" | "journalSize" | "origins";
type ConfigOnly = "chat" | "tokenizer" | "limits" | "port" | "host";

/** One row per setting that the config accepts, in the order of the reference page. */
const table = {
  token: {
    key: "AUTHORIZATION_TOKEN",
    help: "The token that tables require. Default: `local-token`.",
  },
  apiKeys: { help: "The keys that chat accepts. Default: any non-empty key." },
  seed: {
    help: "Makes ids, random numbers and generated rows the same in every run. Default for generated rows: 1.",
  },
  clock: {
    schema: text,
    help: "Stops the clock at a time such as `2024-01-01T00:00:00Z`. Default: real time.",
  },
  profiles: {
    schema: closedObject({
      tables: optional(tablesProfile, "The profile of the tables. Default: `document`."),
      chat: optional(oneOf(chatProfileNames), "The profile of chat. Default: `document`."),
    }),
    help: "Which service each interface imitates, such as StarbaseDB or OpenAI.",
  },
  chat: {
    schema: closedObject({
      unmatched: optional(
        oneOf(["echo", "error"]),
        "The answer to a chat that no script matches. Default: `echo`.",
      ),
      unknownModels: optional(
        oneOf(["accept", "error"]),
        "What to do with a model that `models` does not list. Default: `error`; without `models` every name is accepted.",
      ),
      pace: optional(pace, "The pace of replies that set none. Default: no waits."),
      load: optional(
        loads,
        "How many chats are answered at the same time, and how much longer that takes. Default: any number.",
      ),
    }),
    help: "Settings of chat.",
  },
  tokenizer: {
    schema: oneOf(["estimate", "o200k_base", "cl100k_base"]),
    help: "How tokens are counted: a quick estimate, or a real encoding. Default: `estimate`.",
  },
  limits: {
    schema: closedObject({
      requestsPerMinute: optional(positiveCount, "Chat requests per minute. Default: unlimited."),
      tokensPerMinute: optional(positiveCount, "Tokens per minute. Default: unlimited."),
    }),
    help: "Rate limits of chat; beyond them the answer is 429. Default: none.",
  },
  basePath: { help: 'The path prefixes of both interfaces. Default: `["/", "/v1"]`.' },
  rowsLimit: { help: "Approximate bytes that all stored rows may take. Default: 600000000." },
  addedLimit: {
    help: "Approximate bytes of scripts, faults, recordings and stored answers added at run time. Default: 100000000.",
  },
  bodiesLimit: { help: "Bytes of requests and answers under way. Default: 200000000." },
  maxConnections: { help: "Connections served at the same time. Default: 20000." },
  auth: { help: "Set to false to turn all keys off. Default: true." },
  journal: { help: "Set to false to keep no requests in the journal. Default: true." },
  cors: { help: "Set to false to send no CORS headers and answer no preflights. Default: true." },
  hosts: { help: "Host names to accept besides `localhost`, such as `app.test`; `*` accepts any." },
  speed: { help: "Speeds up replies: 2 is twice as fast, 0 does not wait. Default: 1." },
  latency: {
    help: "Delays each reply by this many milliseconds, or by a random time between two numbers. Default: 0.",
  },
  port: {
    schema: number({ whole: true, least: 0, most: 65_535 }),
    help: `The server's port; 0 picks a free one. Default: ${defaultPort}.`,
  },
  host: { schema: nonEmptyText, help: "The server's address. Default: `127.0.0.1`." },
} satisfies Record<Exclude<keyof EmulatorSettings, NoKey> | ConfigOnly, ConfigSetting>;

/** The keys of the config, each with the setting's name, schema and help. */
export const configKeys: ReadonlyMap<
  string,
  { readonly name: string; readonly schema: Schema<unknown>; readonly help: string }
> = new Map(
  Object.entries<ConfigSetting>(table).map(([name, { key = name, schema, help }]) => [
    key,
    { name, schema: schema ?? optionSchema(name) ?? text, help },
  ]),
);
