import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentSchema } from "../src/fixtures/format/document-format.ts";
import { textMatcher } from "../src/fixtures/format/matcher-format.ts";
import { modelSchema } from "../src/fixtures/format/model-format.ts";
import { replySchema } from "../src/fixtures/format/reply-format.ts";
import type { Refer, Schema } from "../src/fixtures/format/schema.ts";
import { scriptSchema } from "../src/fixtures/format/script-format.ts";
import { tableSchema } from "../src/fixtures/format/table-format.ts";

const schemaFile = fileURLToPath(new URL("../fixtures.schema.json", import.meta.url));

/** What is written once and referred to. */
const definitions: ReadonlyMap<Schema<unknown>, string> = new Map<Schema<unknown>, string>([
  [modelSchema, "model"],
  [tableSchema, "table"],
  [scriptSchema, "script"],
  [replySchema, "reply"],
  [textMatcher, "textMatcher"],
]);

const refer: Refer = (schema) => {
  const name = definitions.get(schema);
  return name === undefined ? schema.json(refer) : { $ref: `#/$defs/${name}` };
};

/** The text of `fixtures.schema.json`, made of the schemas that validate. */
export function fixturesSchemaText(): string {
  const schema = {
    // The draft that editors know best.
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Backlot fixtures",
    ...documentSchema.json(refer),
    $defs: Object.fromEntries(
      [...definitions].map(([definition, name]) => [name, definition.json(refer)]),
    ),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(schemaFile, fixturesSchemaText());
  console.log(`Wrote ${schemaFile}`);
}
