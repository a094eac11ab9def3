import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
const blocks = codeBlocks(readFileSync(join(root, "README.md"), "utf8"));

function blocksOf(...infos: readonly string[]): [string, CodeBlock][] {
  return blocks
    .filter(({ info }) => infos.includes(info))
    .map((block) => [`line ${block.line}: ${block.code.split("\n")[0]}`, block]);
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

test("every block of the README is of a kind that these tests run", () => {
  const kinds = new Set(["sh", "sh curl", "ts test", "js run", "jsonc fixtures", "text check"]);
  expect(blocks.filter(({ info }) => !kinds.has(info))).toEqual([]);
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
      const printed = await pasteCurl(code.replaceAll("http://127.0.0.1:4010", url));
      expect(printed).not.toBe("");
      expect(printed).not.toContain('"error"');
    } finally {
      stop();
    }
  });
});

describe("in a project that has the package", () => {
  test.for(blocksOf("ts test"))("vitest passes, %s", async ([, { code, line }]) => {
    const file = `readme-${line}.test.ts`;
    writeFileSync(join(project, file), code);
    const { stdout } = await run(`vitest run ${file}`);
    expect(stdout).toMatch(/Tests\s+\d+ passed/);
  });

  test.for(blocksOf("js run"))("the script runs, %s", async ([, { code, line }]) => {
    const file = `readme-${line}.mjs`;
    writeFileSync(join(project, file), code);
    await run(`rm -rf fixtures && backlot init fixtures`);
    const { stdout } = await run(`node ${file}`);
    expect(stdout).not.toBe("");
  });

  test.for(blocksOf("jsonc fixtures"))("the fixtures load, %s", async ([, { code, line }]) => {
    const file = join(project, `readme-${line}.jsonc`);
    writeFileSync(file, code);
    const { tables, scripts } = await loadFixtures(file);
    expect(tables.length + scripts.length).toBeGreaterThan(0);
  });

  test.for(blocksOf("text check"))("check prints what it shows, %s", async ([, { code }]) => {
    mkdirSync(join(project, "shop", "tables"), { recursive: true });
    writeFileSync(
      join(project, "shop", "tables", "users.json"),
      '{\n  "primaryKey": "id",\n  "colums": { "id": "INTEGER" }\n}\n',
    );
    const [command = "", ...printed] = code.trimEnd().split("\n");
    const failure = await run(command.replace("$ npx ", "")).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining(printed.join("\n")) });
  });
});
