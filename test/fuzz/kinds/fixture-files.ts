import { FuzzFixtures, type FuzzFile, type SentFixtures } from "../loaded-fixtures.ts";
import type { FuzzKind } from "../fuzz-kind.ts";
import { anyJson, changedJson, changedText, jsonText, oddText } from "../odd-values.ts";
import { fixtureDocument, fixtureWords } from "../random-fixtures.ts";
import type { Random } from "../random.ts";

/** Fixture documents and folders, JSON and JSONC, in memory and on the disk. */
export const fixtureFiles: FuzzKind<SentFixtures> = {
  name: "fixtures",
  make: (random) => {
    const isFolder = random.chance(0.4);
    return {
      layout: isFolder ? "folder" : "document",
      onDisk: random.chance(0.02),
      skipUnsupported: false,
      files: isFolder ? folderFor(random) : [documentFile(random)],
      ...(random.chance(0.15) ? { tables: "starbasedb" } : {}),
    };
  },
  open: () => Promise.resolve(new FuzzFixtures()),
};

function documentFile(random: Random): FuzzFile {
  return {
    name: random.chance(0.8) ? "db.json" : "db.jsonc",
    text: textFor(random, fixtureDocument(random)),
  };
}

function folderFor(random: Random): FuzzFile[] {
  const { tables, chats, models, cassettes, ...config } = fixtureDocument(random);
  const parts: [string, unknown][] = [["config.json", config]];
  if (models !== undefined) parts.push(["models.json", models]);
  for (const [name, table] of Object.entries(Object(tables)))
    parts.push([`tables/${name}.json`, table]);
  if (Array.isArray(chats))
    for (const [index, script] of chats.entries()) parts.push([`chats/${index}.json`, script]);
  if (Array.isArray(cassettes))
    for (const [index, one] of cassettes.entries()) parts.push([`cassettes/${index}.json`, one]);
  const files = parts.map(([name, value]) => ({
    name: nameFor(random, name),
    text: textFor(random, value),
  }));
  return random.chance(0.9)
    ? files
    : [...files, { name: nameFor(random, "tables/more.json"), text: "[]" }];
}

function nameFor(random: Random, name: string): string {
  if (random.chance(0.9)) return random.chance(0.9) ? name : `${name}c`;
  return changedText(random, name, [
    "tables/",
    "chats/",
    "../",
    "/",
    ".",
    ".sql",
    ".json",
    "README",
    "__proto__",
    "config",
  ]);
}

/** A part as a file has it, mostly with something wrong. */
function textFor(random: Random, part: unknown): string {
  if (random.chance(0.01)) return oddText(random);
  let value = random.chance(0.01) ? anyJson(random, fixtureWords) : part;
  for (let changes = random.pick([0, 0, 1, 1, 1, 2, 5]); changes > 0; changes--) {
    value = changedJson(random, value, fixtureWords);
  }
  const text = jsonText(random, value);
  return boundedCounts(random.chance(0.9) ? text : commented(random, text));
}

/** A fixture may ask for a million rows, which take their time. */
function boundedCounts(text: string): string {
  return text.replaceAll(/("count"\s*:\s*)[\d.]{4,}(?:e\+?\d+)?|("count"\s*:\s*\d)e\d+/gi, "$1$29");
}

function commented(random: Random, text: string): string {
  const comments = ["/* a */", "// b\n", ",", "/*", "//", "\n", "/**/"];
  return text.replaceAll(/[,{}[\]]/g, (mark) =>
    random.chance(0.2) ? `${mark}${random.pick(comments)}` : mark,
  );
}
