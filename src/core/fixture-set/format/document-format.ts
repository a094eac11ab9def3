import type { FixtureSettings } from "../fixture-set.ts";
import type { RateLimits } from "../../chat/rate-limiter.ts";
import type { Pace } from "../../chat/scripts/script.ts";
import { cassetteSchema, recordingRulesSchema } from "../cassettes.ts";
import {
  arrayOf,
  choice,
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
} from "../../schema/values.ts";
import { modelSchema } from "../models.ts";
import { scriptSchema } from "./script-format.ts";
import { stateSchema } from "./state-format.ts";
import { tableSchema } from "./table-format.ts";
import { closedObject, namedValues, optional } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";
import { pace } from "./reply-format.ts";

/** A document's settings as they are written. */
export interface SettingsInput {
  readonly $schema?: string;
  readonly AUTHORIZATION_TOKEN?: string;
  readonly apiKeys?: readonly string[];
  readonly seed?: number;
  readonly clock?: string;
  readonly profiles?: {
    readonly rest?: Exclude<FixtureSettings["restProfile"], undefined>;
    readonly chat?: Exclude<FixtureSettings["chatProfile"], undefined>;
  };
  readonly chat?: {
    readonly unmatched?: Exclude<FixtureSettings["unmatched"], undefined>;
    readonly pace?: Pace;
  };
  readonly tokenizer?: Exclude<FixtureSettings["tokenizer"], undefined>;
  readonly limits?: RateLimits;
  readonly basePath?: string | readonly string[];
  readonly auth?: boolean;
  readonly cors?: boolean;
  readonly speed?: number;
  readonly latency?: number | readonly number[];
  readonly port?: number;
  readonly host?: string;
}

const path = textLike(/^\/[^?#\s]*$/, 'Expected a path that begins with "/", such as "/v1"');

const settingEntries = {
  $schema: optional(text, "Where this schema is, for editors."),
  AUTHORIZATION_TOKEN: optional(
    secret(nonEmptyText),
    "The token that guards the tables. Default: `local-token`.",
  ),
  apiKeys: optional(
    secret(arrayOf(nonEmptyText)),
    "The keys that chat accepts. Without any, every key is accepted that is not empty.",
  ),
  seed: optional(
    wholeNumber,
    "Makes ids, random numbers and generated rows the same in each run. Default for generated rows: 1.",
  ),
  clock: optional(
    text,
    "The time at which the clock stands, such as `2024-01-01T00:00:00Z`. Default: it runs.",
  ),
  profiles: optional(
    closedObject({
      rest: optional(oneOf(["document", "starbasedb"]), "That of the tables. Default: `document`."),
      chat: optional(oneOf(["document", "openai"]), "That of chat. Default: `document`."),
    }),
    "Whose behaviour is reproduced where the documents are silent.",
  ),
  chat: optional(
    closedObject({
      unmatched: optional(
        oneOf(["echo", "error"]),
        "What a chat gets that no script matches. Default: `echo`.",
      ),
      pace: optional(pace, "How fast streams come whose reply has no pace. Default: at once."),
    }),
    "Settings of chat.",
  ),
  tokenizer: optional(
    oneOf(["estimate", "o200k_base", "cl100k_base"]),
    "What chat counts tokens by: a quick estimate, or a real encoding. Default: `estimate`.",
  ),
  limits: optional(
    closedObject({
      requestsPerMinute: optional(positiveCount, "Chat requests. Default: any number."),
      tokensPerMinute: optional(
        positiveCount,
        "Tokens of requests and replies. Default: any number.",
      ),
    }),
    "How much chat answers in a minute; more gets 429. Default: no limits.",
  ),
  basePath: optional(
    oneOrSeveral(path, "a path, or an array of paths"),
    'Where both interfaces are mounted. Default: `["/", "/v1"]`.',
  ),
  auth: optional(flag, "False: neither interface asks for a key. Default: true."),
  cors: optional(flag, "False: no page of another origin may call. Default: true."),
  speed: optional(
    number({ least: 0 }),
    "Factor on the pace of replies; 0 does not wait. Default: 1.",
  ),
  latency: optional(
    oneOrSeveral(milliseconds, "milliseconds, or the least and the greatest of them"),
    "Milliseconds that each reply is held back; two numbers: evenly spread between them. Default: 0.",
  ),
  port: optional(
    number({ whole: true, least: 0, most: 65_535 }),
    "Where the server listens; 0 picks a free port. Default: 4010.",
  ),
  host: optional(nonEmptyText, "Where the server listens. Default: `127.0.0.1`."),
};

/** A value, or a list of them. */
function oneOrSeveral<Value>(item: Schema<Value>, what: string): Schema<Value | Value[]> {
  return choice([item, nonEmptyArray(item)], what, (value) => (Array.isArray(value) ? 1 : 0));
}

const sectionEntries = {
  models: optional(arrayOf(modelSchema), "The model list."),
  tables: optional(namedValues(tableSchema), "The tables, by name."),
  chats: optional(
    arrayOf(scriptSchema),
    "Chat scripts. The first one that matches a request answers it.",
  ),
  cassettes: optional(
    arrayOf(cassetteSchema),
    "What a real service answered. It is answered again before tables and scripts are looked at.",
  ),
  recording: optional(
    // A reference can have no description beside it in this draft of JSON Schema.
    { ...recordingRulesSchema, json: (refer) => ({ allOf: [refer(recordingRulesSchema)] }) },
    "How real services are recorded, and by what requests are compared with recordings.",
  ),
  state: optional(
    { ...stateSchema, json: (refer) => ({ allOf: [refer(stateSchema)] }) },
    "What a state has besides that, as an export writes it: clock, chance, counters, next ids.",
  ),
};

/** The settings of a document, without its models, tables, scripts, cassettes and state. */
export const settingsSchema: Schema<SettingsInput> = closedObject(settingEntries);

/** A whole document, for the JSON Schema; its sections are checked one by one. */
export const documentSchema: Schema<unknown> = closedObject({
  ...settingEntries,
  ...sectionEntries,
});

/**
 * Keys that a document of tables cannot have as names of tables; the other settings it can. `$schema` proves
 * nothing: json-server's own files have it too.
 */
export const reservedKeys: readonly string[] = [
  "AUTHORIZATION_TOKEN",
  "apiKeys",
  "seed",
  "clock",
  "profiles",
  "chat",
  // A fine name for a table; what is recorded by it is in files of its own.
  ...Object.keys(sectionEntries).filter((key) => key !== "recording"),
];

export const settingKeys: readonly string[] = Object.keys(settingEntries);
const sectionKeys: readonly string[] = Object.keys(sectionEntries);
export const documentKeys: readonly string[] = [...settingKeys, ...sectionKeys];
