import { faultKindNames, faultKinds } from "../../src/core/chat/faults/fault-kinds.ts";
import { plannedFaultSchema } from "../../src/core/fixture-set/format/fault-format.ts";
import {
  fixturesJsonSchema,
  referTo,
} from "../../src/core/fixture-set/format/fixtures-json-schema.ts";
import type { JsonSchema } from "../../src/core/schema/schema.ts";
import { sameText } from "./describe-schema.ts";
import { keysToGive } from "./key-tables.ts";
import { page, table } from "./markdown.ts";

/** A part of the format that others refer to. */
interface Part {
  readonly heading: string;
  readonly about: string;
}

/** The parts by their names in the schema. */
const parts: ReadonlyMap<string, Part> = new Map([
  [
    "model",
    {
      heading: "Model",
      about: "An entry of the model list. [More about models](../../docs/chat.md#models).",
    },
  ],
  [
    "embedding",
    {
      heading: "Embedding",
      about:
        "The vector of a text: either `vector` or `near`. [More about embeddings](../../docs/chat.md#embeddings).",
    },
  ],
  [
    "table",
    {
      heading: "Table",
      about:
        "An object with these keys, or just the array of rows. `columns.<name>` is a type, or an object. [More about tables](../../docs/tables.md).",
    },
  ],
  [
    "script",
    {
      heading: "Script",
      about:
        "A script has `reply` or `replies`. [When it answers, and what](../../docs/chat.md#when-a-script-answers).",
    },
  ],
  [
    "reply",
    {
      heading: "Reply",
      about: "What a script answers. [More](../../docs/chat.md#what-it-answers).",
    },
  ],
  [
    "textMatcher",
    {
      heading: "Text matcher",
      about: "A plain text, which matches anywhere, or an object with one of these.",
    },
  ],
  [
    "bodyMatcher",
    {
      heading: "Value matcher",
      about:
        "A value that must be equal, or an object with these matchers, all of which must hold. An object that must be equal stands in `equals`. [More](../../docs/chat.md#values).",
    },
  ],
  [
    "wholeTextMatcher",
    {
      heading: "Header matcher",
      about:
        "A plain text, which must be the whole one, or an object with these matchers, all of which must hold. Ids are matched so, too. [More](../../docs/chat.md#values).",
    },
  ],
  [
    "cassette",
    {
      heading: "Cassette",
      about:
        "The recordings of one conversation or table. [More about the format](../../docs/cassettes.md#format-of-cassettes).",
    },
  ],
  [
    "recording",
    {
      heading: "Recording",
      about: "The rules of recordings. [What they do](../../docs/cassettes.md#secrets).",
    },
  ],
  [
    "state",
    {
      heading: "State",
      about:
        "What an export writes beside models, tables and scripts. [What it is for](../../docs/sessions.md#save-and-restore-a-state).",
    },
  ],
]);

const introduction = `# Fixtures: every key

This page has the whole format. The build writes it from the code that reads fixtures. Editors get the same from
\`fixtures.schema.json\`, which a running server also serves at \`/__backlot/fixtures.schema.json\`. An unknown key is an error that suggests the nearest
name. [Fixtures](../../docs/fixtures.md) shows a document and a folder.

\`[]\` stands for any item of an array, \`<name>\` for any name that you choose, and a dot separates an object from its key.`;

const { $defs, ...document } = fixturesJsonSchema();
const definitions = new Map(Object.entries($defs as Readonly<Record<string, JsonSchema>>));
const namesByText = new Map([...definitions].map(([name, schema]) => [sameText(schema), name]));

/** The page of the fixture format, made of the schemas that validate. */
export function fixturesPage(): string {
  const sections = [...definitions].map(([name, schema]) => {
    const { heading, about } = partOf(name);
    return page(`## ${heading}`, about, keyTable(schema)).trimEnd();
  });
  return page(introduction, "## The document", keyTable(document), ...sections, faultTable());
}

/** The kinds of faults, which the schema only names. */
function faultTable(): string {
  const rows = faultKindNames.map((kind) => {
    const { inStream, inJson } = faultKinds[kind];
    return [`\`${kind}\``, inStream, inJson];
  });
  const head = ["kind", "what a stream does", "what a JSON reply does"];
  return page("## Kinds of faults", table(head, rows)).trimEnd();
}

function keyTable(schema: JsonSchema): string {
  return keysToGive(schema, (one) => linkToFixtures(one, "") ?? linkToFault(one));
}

/** A link to a part of the fixture format, from another page or this one. Undefined: the schema is no such part. */
export function linkToFixtures(
  schema: JsonSchema,
  from: "" | "fixture-format.md" = "fixture-format.md",
): string | undefined {
  const { $ref } = schema;
  const name =
    typeof $ref === "string" ? $ref.replace(/^.*\//, "") : namesByText.get(sameText(schema));
  if (name === undefined) return undefined;
  const { heading } = partOf(name);
  return `[${heading.toLowerCase()}](${from}#${heading.toLowerCase().replaceAll(" ", "-")})`;
}

const plannedFault = sameText(plannedFaultSchema.json(referTo("#/$defs")));

/** A link to the planned fault, which is no part of its own. */
export function linkToFault(schema: JsonSchema): string | undefined {
  const isFault = sameText(schema) === plannedFault;
  return isFault ? "[planned fault](control-api.md#post-faults)" : undefined;
}

function partOf(name: string): Part {
  const part = parts.get(name);
  if (part !== undefined) return part;
  throw new Error(`The part ${name} of the fixture format has no heading in this script.`);
}
