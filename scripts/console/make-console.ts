import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where the source imports the page from. Git leaves the folder out. */
const built = resolve(root, ".built");

/** What the page depends on besides its source. */
const makers = ["package-lock.json", "scripts/console/pack-console.ts"];

const types = `/** The console, a page of HTML: compressed by gzip, in base64. */
export const packedPage: string;
/** The Content-Security-Policy of the page. */
export const consolePolicy: string;
`;

/**
 * Makes the console's page in a folder, unless it was made of the same files before. Takes a second, and a few
 * milliseconds when nothing has changed.
 */
export async function makeConsole(folder: string = built): Promise<void> {
  const pageFile = join(folder, "console-page.js");
  // Written last, so that a page that was not finished is made again.
  const hashesFile = join(folder, "console-page.json");
  if (existsSync(hashesFile) && isUpToDate(JSON.parse(readFileSync(hashesFile, "utf8")))) return;
  const { page, policy, madeOf } = await pack();
  mkdirSync(folder, { recursive: true });
  writeAtOnce(pageFile, moduleOf({ packedPage: page, consolePolicy: policy }));
  writeAtOnce(join(folder, "console-page.d.ts"), types);
  writeAtOnce(hashesFile, JSON.stringify(hashesOf([...makers, ...madeOf]), null, 2));
}

async function pack(): Promise<{ page: string; policy: string; madeOf: readonly string[] }> {
  const { packConsole } = await import("./pack-console.ts");
  const before = process.env["NODE_ENV"];
  // Vite packs for what this says.
  process.env["NODE_ENV"] = "production";
  const packed = await packConsole();
  if (before === undefined) delete process.env["NODE_ENV"];
  else process.env["NODE_ENV"] = before;
  return packed;
}

function moduleOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join("");
}

function isUpToDate(before: Readonly<Record<string, string>>): boolean {
  const now = hashesOf(Object.keys(before));
  return Object.entries(before).every(([file, hash]) => now[file] === hash);
}

/** The hash of each file that is there, by its path from the project's root. */
function hashesOf(files: readonly string[]): Readonly<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const file of files) {
    const path = resolve(root, file);
    if (!existsSync(path)) continue;
    const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
    hashes[relative(root, path).replaceAll("\\", "/")] = hash;
  }
  return hashes;
}

/** Another process may read the file, or make it too. */
function writeAtOnce(file: string, text: string): void {
  const beside = `${file}.${randomUUID()}`;
  writeFileSync(beside, text);
  renameSync(beside, file);
}
