import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cliPage } from "./reference/cli-page.ts";
import { controlPage } from "./reference/control-page.ts";
import { fixturesPage } from "./reference/fixtures-page.ts";
import { interfacesPage } from "./reference/interfaces-page.ts";

const docs = new URL("../docs/", import.meta.url);

/** The pages of `docs` that are made of the code, by their names. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    "reference-cli.md": await cliPage(),
    "reference-control.md": controlPage(),
    "reference-fixtures.md": fixturesPage(),
    "reference-interfaces.md": await interfacesPage(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await referencePages())) {
    writeFileSync(new URL(name, docs), text);
    console.log(`Wrote docs/${name}`);
  }
}
