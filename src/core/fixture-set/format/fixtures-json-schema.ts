import { cassetteSchema, recordingRulesSchema } from "../read-cassettes.ts";
import { documentSchema } from "./document-format.ts";
import { replySchema, scriptSchema } from "./script-format.ts";
import { bodyMatcher, textMatcher, wholeTextMatcher } from "./when-format.ts";
import { embeddingSchema } from "../read-embeddings.ts";
import { modelSchema } from "../read-models.ts";
import type { JsonSchema, Refer, Schema } from "../../schema/schema.ts";
import { stateSchema } from "./state-format.ts";
import { tableSchema } from "./table-format.ts";

/** Parts that are defined once and referenced. */
const definitions: ReadonlyMap<Schema<unknown>, string> = new Map<Schema<unknown>, string>([
  [modelSchema, "model"],
  [embeddingSchema, "embedding"],
  [tableSchema, "table"],
  [scriptSchema, "script"],
  [replySchema, "reply"],
  [textMatcher, "textMatcher"],
  [bodyMatcher, "bodyMatcher"],
  [wholeTextMatcher, "wholeTextMatcher"],
  [cassetteSchema, "cassette"],
  [recordingRulesSchema, "recording"],
  [stateSchema, "state"],
]);

/** References the parts of `fixtureDefinitions`, which are defined below `place`. */
export function referTo(place: string): Refer {
  const refer: Refer = (schema) => {
    const name = definitions.get(schema);
    return name === undefined ? schema.json(refer) : { $ref: `${place}/${name}` };
  };
  return refer;
}

/** The parts of the format by name. They may reference each other. */
export function fixtureDefinitions(refer: Refer): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries([...definitions].map(([schema, name]) => [name, schema.json(refer)]));
}

/** The JSON Schema of fixture documents, made from the schemas that validate. */
export function fixturesJsonSchema(): JsonSchema {
  const refer = referTo("#/$defs");
  return {
    // The draft with the best editor support.
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Backlot fixtures",
    ...documentSchema.json(refer),
    $defs: fixtureDefinitions(refer),
  };
}
