import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixturesJsonSchema } from "../src/core/fixture-set/format/fixtures-json-schema.ts";

const schemaFile = fileURLToPath(new URL("../fixtures.schema.json", import.meta.url));

/** The text of `fixtures.schema.json`, made of the schemas that validate. */
export function fixturesSchemaText(): string {
  return `${JSON.stringify(fixturesJsonSchema(), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(schemaFile, fixturesSchemaText());
  console.log(`Wrote ${schemaFile}`);
}
