/**
 * Imports every file of a list, and says what it has and what became of it: `npm run check -- imports`. The list has the
 * OpenAPI documents that packages ship, and files of each other tool, made by hand. An import must not end with a bug,
 * and what it writes must pass `check`.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { run } from "../src/fronts/cli/run.ts";
import { testIo } from "../test/fronts/cli/test-io.ts";
import { madeImports } from "../test/support/imports/made-imports.ts";
import { inScratchFolder, makeProject } from "./compat/scratch.ts";

/** Packages with documents of real interfaces, of which those below a folder are taken. */
const packages: readonly (readonly [name: string, files: RegExp])[] = [
  ["@readme/oas-examples@8.2.2", /^(?:2\.0|3\.0|3\.1)\/(?:json|yaml)\/[^/]+\.(?:json|yaml)$/],
  ["@octokit/openapi@23.0.2", /^generated\/(?:api\.github\.com)\.json$/],
  ["@directus/specs@15.2.0", /^dist\/openapi\.json$/],
  ["@blockfrost/openapi@0.1.93", /^openapi\.yaml$/],
  ["@ideal-postcodes/openapi@4.21.0", /^dist\/openapi\.(?:json|yaml)$/],
];

/** A file of the list. */
interface Listed {
  readonly name: string;
  readonly has: string;
  /** Where it is imported, and by which name. */
  readonly cwd: string;
  readonly file: string;
  readonly out: string;
  /** Whether it must be refused, or must not. Undefined: it depends on what the document has. */
  readonly isRefused?: boolean;
}

let broken = 0;

await inScratchFolder("imports", async (scratch) => {
  for (const listed of [...madeFiles(scratch), ...packageFiles(scratch)]) {
    const became = await importOne(listed);
    console.log(`${listed.name}  ${listed.has}  ${became}`);
  }
});

console.log(
  broken === 0 ? "every import ends as it should" : `${broken} imports end as none should`,
);
if (broken > 0) process.exitCode = 1;

function madeFiles(scratch: string): readonly Listed[] {
  return madeImports.map(({ name, has, files, becomes }, index): Listed => {
    const cwd = join(scratch, `made-${index}`);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), content);
    }
    return { name, has, cwd, file: name, out: "fixtures", isRefused: typeof becomes === "string" };
  });
}

function packageFiles(scratch: string): readonly Listed[] {
  const project = join(scratch, "packages");
  makeProject(
    project,
    packages.map(([name]) => name),
  );
  return packages.flatMap(([spec, wanted]) => {
    const name = spec.slice(0, spec.lastIndexOf("@"));
    const folder = join(project, "node_modules", name);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => wanted.test(file));
    if (files.length === 0) throw new Error(`${spec} has no file of ${wanted}.`);
    return files.map((file, index): Listed => ({
      name: `${name}/${file}`,
      has: "an OpenAPI document",
      cwd: project,
      file: relative(project, join(folder, file)),
      out: join(`out-${name.replaceAll("/", "-")}`, String(index)),
    }));
  });
}

/** Imports a file and checks what comes of it. Says it in words. */
async function importOne({ cwd, file, out, isRefused }: Listed): Promise<string> {
  const importing = testIo({ cwd });
  const code = await run(["import", file, "--out", out], importing);
  const told = importing.err();
  if (code === 1 && told.includes("error: ") && isRefused !== false) {
    return `refused: ${told
      .split("error: ")[1]
      ?.trim()
      .replace(/^Cannot import "[^"]*": /, "")}`;
  }
  if (isRefused === true) return isBroken("it should be refused");
  if (code !== 0) return isBroken(`the import ends with ${code}: ${told}`);
  const notes = told.split("\n").filter((line) => line.startsWith("note:")).length;
  const checking = testIo({ cwd });
  if ((await run(["check", out], checking)) !== 0) {
    return isBroken(`check refuses it: ${checking.err()}`);
  }
  return `${checking
    .out()
    .trim()
    .replace(/^ok +[^:]*: /, "")}, ${notes} notes`;
}

function isBroken(what: string): string {
  broken += 1;
  return `BROKEN: ${what}`;
}
