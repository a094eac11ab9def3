import { chatProfileNames } from "../chat/profile-names.ts";
import type { Pace } from "../chat/scripts/script.ts";
import { restProfileNames } from "../rest/profiles.ts";
import { closedObject, optional } from "../schema/objects.ts";
import type { Schema } from "../schema/schema.ts";
import {
  byKind,
  milliseconds,
  nonEmptyText,
  number,
  oneOf,
  positiveCount,
  text,
} from "../schema/values.ts";
import { defaultPort, type FixtureSettings, oneNameOfTables, optionSchema } from "./settings.ts";

/** A setting as the config has it. */
interface ConfigSetting {
  /** Default: the setting's name. */
  readonly key?: string;
  /** Default: that of the option of the same name. */
  readonly schema?: Schema<unknown>;
  readonly help: string;
}

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

const restProfile = oneOf(restProfileNames);

/** A row for each setting that the config may have, in the order in which its reference shows them. */
const table = {
  token: {
    key: "AUTHORIZATION_TOKEN",
    help: "The token that guards the tables. Default: `local-token`.",
  },
  apiKeys: {
    help: "The keys that chat accepts. Without any, every key is accepted that is not empty.",
  },
  seed: {
    help: "Makes ids, random numbers and generated rows the same in each run. Default for generated rows: 1.",
  },
  clock: {
    schema: text,
    help: "The time at which the clock stands, such as `2024-01-01T00:00:00Z`. Default: it runs.",
  },
  profiles: {
    schema: oneNameOfTables(
      closedObject({
        tables: optional(restProfile, "That of the tables. Default: `document`."),
        rest: optional(restProfile, "Another name of `tables`."),
        chat: optional(oneOf(chatProfileNames), "That of chat. Default: `document`."),
      }),
    ),
    help: "Whose behaviour is reproduced where the documents are silent.",
  },
  chat: {
    schema: closedObject({
      unmatched: optional(
        oneOf(["echo", "error"]),
        "What a chat gets that no script matches. Default: `echo`.",
      ),
      pace: optional(pace, "How fast streams come whose reply has no pace. Default: at once."),
    }),
    help: "Settings of chat.",
  },
  tokenizer: {
    schema: oneOf(["estimate", "o200k_base", "cl100k_base"]),
    help: "What chat counts tokens by: a quick estimate, or a real encoding. Default: `estimate`.",
  },
  limits: {
    schema: closedObject({
      requestsPerMinute: optional(positiveCount, "Chat requests. Default: any number."),
      tokensPerMinute: optional(
        positiveCount,
        "Tokens of requests and replies. Default: any number.",
      ),
    }),
    help: "How much chat answers in a minute; more gets 429. Default: no limits.",
  },
  basePath: { help: 'Where both interfaces are mounted. Default: `["/", "/v1"]`.' },
  auth: { help: "False: neither interface asks for a key. Default: true." },
  cors: { help: "False: no page of another origin may call. Default: true." },
  speed: { help: "Factor on the pace of replies; 0 does not wait. Default: 1." },
  latency: {
    help: "Milliseconds that each reply is held back; two numbers: evenly spread between them. Default: 0.",
  },
  port: {
    schema: number({ whole: true, least: 0, most: 65_535 }),
    help: `Where the server listens; 0 picks a free port. Default: ${defaultPort}.`,
  },
  host: { schema: nonEmptyText, help: "Where the server listens. Default: `127.0.0.1`." },
} satisfies Partial<Record<keyof FixtureSettings | "profiles" | "chat", ConfigSetting>>;

/** The settings that the config may have: its keys, and for each the setting's name, its schema and its help. */
export const configKeys: ReadonlyMap<
  string,
  { readonly name: string; readonly schema: Schema<unknown>; readonly help: string }
> = new Map(
  Object.entries<ConfigSetting>(table).map(([name, { key = name, schema, help }]) => [
    key,
    { name, schema: schema ?? optionSchema(name) ?? text, help },
  ]),
);
