import { cassetteSchema, recordingRulesSchema } from "../cassettes.ts";
import { arrayOf, text } from "../../schema/values.ts";
import { modelSchema } from "../models.ts";
import { configKeys } from "../config-settings.ts";
import { scriptSchema } from "./script-format.ts";
import { stateSchema } from "./state-format.ts";
import { tableSchema } from "./table-format.ts";
import { closedObject, type Keys, namedValues, optional } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";

const settingEntries = {
  $schema: optional(text, "Where this schema is, for editors."),
  ...Object.fromEntries(
    [...configKeys].map(([key, { schema, help }]) => [key, optional(schema, help)]),
  ),
};

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
export const settingsSchema: Schema<Readonly<Record<string, unknown>>> =
  closedObject(settingEntries);

/** The keys of a whole document. */
export const documentEntries: Keys = { ...settingEntries, ...sectionEntries };

/** A whole document, for the JSON Schema; its sections are checked one by one. */
export const documentSchema: Schema<unknown> = closedObject(documentEntries);

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
export const documentKeys: readonly string[] = Object.keys(documentEntries);
