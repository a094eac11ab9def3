import { cassetteSchema, recordingRulesSchema } from "../read-cassettes.ts";
import { arrayOf, text } from "../../schema/values.ts";
import { embeddingSchema } from "../read-embeddings.ts";
import { modelSchema } from "../read-models.ts";
import { configKeys } from "../../settings/config-keys.ts";
import { scriptSchema } from "./script-format.ts";
import { stateSchema } from "./state-format.ts";
import { tableSchema } from "./table-format.ts";
import { closedObject, type Keys, namedValues, optional } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";

const settingEntries = {
  $schema: optional(text, "The location of this schema, for editors."),
  ...Object.fromEntries(
    [...configKeys].map(([key, { schema, help }]) => [key, optional(schema, help)]),
  ),
};

const sectionEntries = {
  models: optional(arrayOf(modelSchema), "The model list."),
  embeddings: optional(
    arrayOf(embeddingSchema),
    "Vectors of some texts. The vector of any other text is made of its words.",
  ),
  tables: optional(namedValues(tableSchema), "The tables, by name."),
  chats: optional(
    arrayOf(scriptSchema),
    "Chat scripts. The first script that matches a request answers it.",
  ),
  cassettes: optional(
    arrayOf(cassetteSchema),
    "Recorded answers of a real service. They are replayed before tables and scripts are tried.",
  ),
  recording: optional(
    // This draft of JSON Schema allows no description beside a reference.
    { ...recordingRulesSchema, json: (refer) => ({ allOf: [refer(recordingRulesSchema)] }) },
    "How real services are recorded, and how requests are compared with recordings.",
  ),
  state: optional(
    { ...stateSchema, json: (refer) => ({ allOf: [refer(stateSchema)] }) },
    "The rest of an exported state: clock, random numbers, counters, next ids.",
  ),
};

/** The settings of a document, without models, tables, scripts, cassettes and state. */
export const settingsSchema: Schema<Readonly<Record<string, unknown>>> =
  closedObject(settingEntries);

/** The keys of a whole document. */
export const documentEntries: Keys = { ...settingEntries, ...sectionEntries };

/** A whole document, for the JSON Schema. The reader checks its sections one by one. */
export const documentSchema: Schema<unknown> = closedObject(documentEntries);

/**
 * Keys that mark a document as fixtures. A document of tables by name cannot use them as names of tables. `$schema` is
 * not among them, since json-server's files have it, too.
 */
export const reservedKeys: readonly string[] = [
  "AUTHORIZATION_TOKEN",
  "apiKeys",
  "seed",
  "clock",
  "profiles",
  "chat",
  "cors",
  // These two are plausible names for tables, so they are left out.
  ...Object.keys(sectionEntries).filter((key) => !["recording", "embeddings"].includes(key)),
];

export const settingKeys: readonly string[] = Object.keys(settingEntries);
export const documentKeys: readonly string[] = Object.keys(documentEntries);
