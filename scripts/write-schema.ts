import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isObject } from "../src/core/schema/json.ts";
import { fixturesJsonSchema } from "../src/core/fixture-set/format/fixtures-json-schema.ts";

const schemaFile = fileURLToPath(new URL("../fixtures.schema.json", import.meta.url));

/** How deep the text is written out. What is further inside is on one line: it has half the size, and its changes are still seen. */
const mostLevels = 3;

/** The text of `fixtures.schema.json`, made of the schemas that validate. */
export function fixturesSchemaText(): string {
  return `${writtenOut(fixturesJsonSchema(), 1)}\n`;
}

function writtenOut(value: unknown, level: number): string {
  if (level > mostLevels || !isObject(value)) return JSON.stringify(value);
  const indent = "  ".repeat(level);
  const members = Object.entries(value).map(
    ([name, member]) => `${indent}${JSON.stringify(name)}: ${writtenOut(member, level + 1)}`,
  );
  return `{\n${members.join(",\n")}\n${indent.slice(2)}}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(schemaFile, fixturesSchemaText());
  console.log(`Wrote ${schemaFile}`);
}
