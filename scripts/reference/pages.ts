import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { cliPage } from "./cli-page.ts";
import { controlPage } from "./control-page.ts";
import { fixturesPage } from "./fixtures-page.ts";
import { interfacesPage } from "./interfaces-page.ts";

/** The pages that are made of the code, by the names of their files in `dist/reference`. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    "command-line.md": await cliPage(),
    "control-api.md": controlPage(),
    "endpoints.md": await interfacesPage(),
    "fixture-format.md": fixturesPage(),
  };
}

/** Writes the pages into a folder. */
export async function writeReference(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await referencePages())) {
    writeFileSync(resolve(folder, name), text);
  }
}
