import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toJsonSchema } from "@valibot/to-json-schema";
import { documentSchema } from "../src/fixtures/format/document-format.ts";
import { textMatcher } from "../src/fixtures/format/matcher-format.ts";
import { modelSchema } from "../src/fixtures/format/model-format.ts";
import { replySchema } from "../src/fixtures/format/reply-format.ts";
import { scriptSchema } from "../src/fixtures/format/script-format.ts";
import { tableSchema } from "../src/fixtures/format/table-format.ts";

const schemaFile = fileURLToPath(new URL("../fixtures.schema.json", import.meta.url));

/** The text of `fixtures.schema.json`, made of the schemas that validate. */
export function fixturesSchemaText(): string {
  const schema = toJsonSchema(documentSchema, {
    // The draft that editors know best.
    target: "draft-07",
    definitions: {
      model: modelSchema,
      table: tableSchema,
      script: scriptSchema,
      reply: replySchema,
      textMatcher,
    },
  });
  const titled = { $schema: schema.$schema, title: "Backlot fixtures", ...schema };
  return `${JSON.stringify(titled, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(schemaFile, fixturesSchemaText());
  console.log(`Wrote ${schemaFile}`);
}
