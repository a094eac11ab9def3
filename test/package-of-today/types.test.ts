import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, inject, test } from "vitest";
import { root } from "../../scripts/compat/scratch.ts";
import { codeBlocks } from "../support/markdown-blocks.ts";
import { today } from "../support/today.ts";
import { typeErrors, withPeers, writeUser } from "../support/type-errors.ts";

const project = inject("project");
const typescript = join(today, "node_modules/typescript");

/** Its programs are compiled on their own: to check the types of all those SDKs, too, takes half a minute. */
const sdkPage = "your-sdk.md";

/** Without the tutorial: its app is JavaScript that grows over the page, and tutorial.test.ts runs it. */
const pages = [
  "README.md",
  "examples/README.md",
  "fixtures/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md") && !["tutorial.md", sdkPage].includes(name))
    .map((name) => `docs/${name}`),
];

/** Writes the code blocks of pages into a folder; gives their files. */
function writeBlocks(folder: string, of: readonly string[]): readonly string[] {
  mkdirSync(join(folder, "blocks"), { recursive: true });
  return of.flatMap((page) =>
    codeBlocks(readFileSync(join(root, page), "utf8")).flatMap(({ info, code, line }) => {
      const extension = { ts: "mts", js: "mjs" }[info.split(" ")[0] ?? ""];
      if (extension === undefined) return [];
      const file = `blocks/${page.replaceAll("/", "-")}-${line}.${extension}`;
      writeFileSync(join(folder, file), code);
      return [file];
    }),
  );
}

/** JavaScript has no annotations, which these ask for, and may import what has no types. */
const onlyAnnotated = /^\S+\.mjs\(.*error TS70\d\d:/;

let blocks: readonly string[] = [];

beforeAll(() => {
  blocks = writeBlocks(project, pages);
  writeUser(project, [...withPeers, ...blocks]);
});

test("there are blocks of TypeScript and of JavaScript", () => {
  expect(blocks.filter((file) => file.endsWith(".mts")).length).toBeGreaterThan(5);
  expect(blocks.filter((file) => file.endsWith(".mjs")).length).toBeGreaterThan(8);
});

test.for(["nodenext", "bundler"] as const)(
  "every block and every entry compiles, libraries included, as %s finds modules",
  (resolution) => {
    const errors = typeErrors(typescript, project, { resolution });
    expect(errors.filter((line) => !onlyAnnotated.test(line))).toEqual([]);
  },
);

test("the programs for each SDK compile", () => {
  const folder = join(project, "sdk");
  writeUser(folder, writeBlocks(folder, [`docs/${sdkPage}`]));
  expect(typeErrors(typescript, folder, { resolution: "nodenext", skipLibCheck: true })).toEqual(
    [],
  );
});

test("what is written for these packages compiles with them", async () => {
  const args = [join(typescript, "bin/tsc"), "-p", join(today, "tsconfig.json")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (error: unknown) => Object(error),
  );
  const errors = String(stdout).split("\n");
  expect(errors.filter((line) => line.startsWith("test/today/"))).toEqual([]);
});
