import { dirname, join } from "node:path";
import type { NamedCassette, RecordingRules } from "../../core/replay/cassette.ts";
import { toFixtures } from "../../extras/recordings/scripts/to-fixtures.ts";
import { makeFolder, writeInPlace } from "./write-file.ts";

/** Where fixtures are written, and by which rules they were recorded. */
export interface FixturesToWrite {
  readonly rules: RecordingRules;
  readonly path: string;
  /** How messages name the folder. */
  readonly shown: string;
}

/** Writes scripts and tables that recordings come to. Gives their files, and what could not be taken over. */
export async function writeFixtures(
  cassettes: readonly NamedCassette[],
  { rules, path, shown }: FixturesToWrite,
): Promise<{ readonly files: readonly string[]; readonly remarks: readonly string[] }> {
  const { chats, tables, remarks } = toFixtures(cassettes, rules);
  const files: [string, unknown][] = [
    ...chats.map(({ file, scripts }): [string, unknown] => [join("chats", file), scripts]),
    ...tables.map(({ name, document }): [string, unknown] => [
      join("tables", `${name}.json`),
      document,
    ]),
  ];
  for (const folder of new Set(files.map(([file]) => dirname(file)))) {
    await makeFolder({ path: join(path, folder), shown: join(shown, folder) });
  }
  for (const [file, content] of files) {
    await writeInPlace({ path: join(path, file), shown: join(shown, file) }, textOf(content));
  }
  return { files: files.map(([file]) => file), remarks };
}

async function* textOf(content: unknown): AsyncGenerator<string, void> {
  yield `${JSON.stringify(content, undefined, 2)}\n`;
}
