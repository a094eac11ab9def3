import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { loadFixtures } from "../../src/node/index.ts";
import { type CodeBlock, codeBlocks } from "../support/markdown-blocks.ts";
import { pasteCurl } from "../support/paste-curl.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = inject("project");
const shell = promisify(execFile);
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
  "examples/README.md",
  "fixtures/README.md",
];

interface PageBlock extends CodeBlock {
  /** What the block is known by: its page and line, without characters that file names lack. */
  readonly id: string;
}

const blocks = pages.flatMap((page) =>
  codeBlocks(readFileSync(join(root, page), "utf8")).map((block): PageBlock => ({
    ...block,
    id: `${page.replaceAll("/", "-")}-${block.line}`,
  })),
);

function blocksOf(info: string): [string, PageBlock][] {
  return blocks
    .filter((block) => block.info === info)
    .map((block) => [`${block.id}: ${block.code.split("\n")[0]}`, block]);
}

/** A transcript: the command behind `$`, and what it prints. */
function transcriptOf({ code }: CodeBlock): { command: string; printed: string } {
  const [command = "", ...printed] = code.trimEnd().split("\n");
  return { command: command.replace("$ ", ""), printed: printed.join("\n") };
}

/** A config of vitest with the global setup that stands right before a block, if there is one. */
function configOf(block: PageBlock): object {
  const before = blocks[blocks.indexOf(block) - 1];
  if (before?.info !== "ts globalSetup") return {};
  const file = `${before.id}.ts`;
  writeFileSync(join(project, file), before.code);
  return { test: { globalSetup: file } };
}

/** Runs a shell line in the user's project, where `backlot` is on the path. */
function run(command: string): Promise<{ stdout: string; stderr: string }> {
  const PATH = `${join(project, "node_modules", ".bin")}:${process.env["PATH"]}`;
  const { FORCE_COLOR: _, ...env } = process.env;
  return shell("sh", ["-euc", command], { cwd: project, env: { ...env, PATH, NO_COLOR: "1" } });
}

/** Starts what the README's start command starts, on a free port. */
async function startAsDocumented(): Promise<{ url: string; stop: () => void }> {
  const args = ["start", "--silent", "--", "--port", "0", "--log", "json"];
  const server = spawn("npm", args, { cwd: root, detached: true });
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  const stop = (): void => {
    if (server.pid !== undefined) process.kill(-server.pid);
  };
  return { url: JSON.parse(String(line)).url, stop };
}

/** Blocks that vitest runs in place of another runner, behind a stand-in for the package that they import. */
const otherRunners = { jest: "@jest/globals", playwright: "@playwright/test" } as const;

const kinds = [
  "sh",
  "sh curl",
  "ts globalSetup",
  "ts test",
  "js run",
  "js browser",
  "jsonc fixtures",
  "text check",
  "text run",
  ...Object.keys(otherRunners).map((name) => `js ${name}`),
];

test("every block of the README and the pages behind it is of a kind that these tests run", () => {
  expect(blocks.filter(({ info }) => !kinds.includes(info))).toEqual([]);
});

test("links between the pages lead to files", () => {
  const broken = pages.flatMap((page) => {
    const links = readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g);
    return [...links].flatMap(([, link = ""]) =>
      existsSync(join(root, dirname(page), link)) ? [] : [`${page}: ${link}`],
    );
  });
  expect(broken).toEqual([]);
});

test("the README's two commands are the ones that the gate runs", () => {
  expect(blocksOf("sh").map(([, { code }]) => code.trim())).toEqual([
    "npm ci && npm start",
    "npm ci && npm test",
  ]);
  const gate = readFileSync(join(root, ".ci/run"), "utf8");
  expect(gate).toMatch(/^npm ci\b/m);
  expect(gate).toMatch(/^npm test$/m);
});

describe("against what the README's start command starts", () => {
  test.for(blocksOf("sh curl"))("curl, %s", async ([, { code }]) => {
    const { url, stop } = await startAsDocumented();
    try {
      for (const line of code.trim().split("\n")) {
        const printed = await pasteCurl(line.replace("http://127.0.0.1:4010", url));
        expect(printed).not.toBe("");
        expect(printed).not.toContain('"error"');
      }
    } finally {
      stop();
    }
  });
});

describe("in a checkout", () => {
  test.for(blocksOf("text run"))("the command prints what it shows, %s", async ([, block]) => {
    const { command, printed } = transcriptOf(block);
    const { stdout } = await shell("sh", ["-euc", command], { cwd: root });
    expect(stdout.trimEnd()).toBe(printed);
  });
});

describe("in a project that has the package", () => {
  test.for(blocksOf("ts test"))("vitest passes, %s", async ([, block]) => {
    const file = `${block.id}.test.ts`;
    writeFileSync(join(project, file), block.code);
    const config = `${block.id}.config.mjs`;
    writeFileSync(join(project, config), `export default ${JSON.stringify(configOf(block))};`);
    const { stdout } = await run(`vitest run --config ${config} ${file}`);
    expect(stdout).toMatch(/Tests\s+\d+ passed/);
  });

  describe.each(Object.entries(otherRunners))("for %s", (runner, imported) => {
    test.for(blocksOf(`js ${runner}`))("vitest passes, %s", async ([, { code, id }]) => {
      const file = `${id}.test.mjs`;
      const standIn = `${runner}.mjs`;
      copyFileSync(join(root, "test/support/runners", standIn), join(project, standIn));
      writeFileSync(join(project, file), code.replace(imported, `./${standIn}`));
      await run(`rm -rf fixtures && backlot init fixtures`);
      const { stdout } = await run(`backlot exec fixtures -- vitest run ${file}`);
      expect(stdout).toMatch(/Tests\s+\d+ passed/);
    });
  });

  // A comment `// → text` says what the script prints; without one, anything will do.
  test.for(blocksOf("js run"))("the script runs, %s", async ([, { code, id }]) => {
    const file = `${id}.mjs`;
    writeFileSync(join(project, file), code);
    await run(`rm -rf fixtures && backlot init fixtures`);
    const { stdout } = await run(`node ${file}`);
    expect(stdout).not.toBe("");
    for (const [, text = ""] of code.matchAll(/\/\/ → (.*)/g)) expect(stdout).toContain(text);
  });

  test.for(blocksOf("jsonc fixtures"))("the fixtures load, %s", async ([, { code, id }]) => {
    const file = join(project, `${id}.jsonc`);
    writeFileSync(file, code);
    const { tables, scripts, warnings } = await loadFixtures(file);
    expect(tables.length + scripts.length).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  test.for(blocksOf("text check"))("check prints what it shows, %s", async ([, block]) => {
    mkdirSync(join(project, "shop", "tables"), { recursive: true });
    writeFileSync(
      join(project, "shop", "tables", "users.json"),
      '{\n  "primaryKey": "id",\n  "colums": { "id": "INTEGER" }\n}\n',
    );
    const { command, printed } = transcriptOf(block);
    const failure = await run(command.replace("npx ", "")).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining(printed) });
  });
});
