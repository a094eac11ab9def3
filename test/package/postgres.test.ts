import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { codeBlocks } from "../support/markdown-blocks.ts";
import { missingServer, ownSchema } from "../support/postgres/server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = inject("installed");
const project = inject("project");

test("--tables without the packages that it needs says how to install them", () => {
  const bin = join(folder, "node_modules", ".bin", "backlot");
  const args = ["--port", "0", "--tables", "postgres://localhost/app"];
  const { status, stderr } = spawnSync(bin, args, { cwd: folder, encoding: "utf8" });
  expect(stderr).toContain("Install them: npm install --save-dev kysely pg.");
  expect(status).toBe(1);
});

const missing = missingServer();

const blocks = codeBlocks(readFileSync(join(root, "docs/postgresql.md"), "utf8")).filter(
  ({ info }) => info === "js postgres",
);

test("there are blocks that need a server", () => {
  expect(blocks).not.toEqual([]);
});

// A comment `// → text` says what the script prints.
test.skipIf(missing !== undefined).for(blocks)(
  "the script of docs/postgresql.md runs, line $line",
  async ({ code, line }) => {
    for (const name of ["kysely", "pg"]) {
      const link = join(project, "node_modules", name);
      if (!existsSync(link)) symlinkSync(join(root, "node_modules", name), link);
    }
    // The fixtures of the project itself are those of the other pages' blocks, which run meanwhile.
    const cwd = join(project, `postgresql-${line}`);
    mkdirSync(cwd);
    writeFileSync(join(cwd, "page.mjs"), code);
    const PATH = `${join(project, "node_modules", ".bin")}:${process.env["PATH"]}`;
    const env = { ...process.env, PATH, NO_COLOR: "1", BACKLOT_TABLES: await ownSchema() };
    const command = "backlot init fixtures && node page.mjs";
    const { stdout } = await promisify(execFile)("sh", ["-euc", command], { cwd, env });
    for (const [, text = ""] of code.matchAll(/\/\/ → (.*)/g)) expect(stdout).toContain(text);
  },
);
