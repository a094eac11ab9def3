import { FuzzFixtures, type SentFixtures } from "../loaded-fixtures.ts";
import type { FuzzKind } from "../fuzz-kind.ts";
import { changedText, oddText } from "../odd-values.ts";
import type { Random } from "../random.ts";
import { dumpText, dumpWords } from "../random-dumps.ts";

/** SQL dumps as SQLite writes them, and what becomes of them by hand. */
export const sqlDumps: FuzzKind<SentFixtures> = {
  name: "dump",
  make: (random) => {
    const isFolder = random.chance(0.2);
    const files = [{ name: isFolder ? "tables/app.sql" : "app.sql", text: textFor(random) }];
    if (isFolder && random.chance(0.5)) files.push({ name: "tables/b.sql", text: textFor(random) });
    if (isFolder && random.chance(0.3))
      files.push({ name: "tables/users.json", text: '[{"id":1,"a":2}]' });
    return {
      layout: isFolder ? "folder" : "document",
      onDisk: random.chance(0.01),
      skipUnsupported: random.chance(0.6),
      files,
      ...(random.chance(0.4) ? { tables: "starbasedb" } : {}),
    };
  },
  open: () => Promise.resolve(new FuzzFixtures()),
};

function textFor(random: Random): string {
  if (random.chance(0.01)) return oddText(random);
  if (random.chance(0.05))
    return random.list(random.int(1, 40), () => random.pick(dumpWords)).join(" ");
  const text = dumpText(random);
  if (random.chance(0.45)) return text;
  return random.chance(0.1)
    ? text.slice(0, random.int(0, text.length))
    : changedText(random, text, dumpWords);
}
