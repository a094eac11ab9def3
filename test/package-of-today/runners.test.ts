import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { root } from "../../scripts/compat/scratch.ts";
import { codeBlocks } from "../support/markdown-blocks.ts";

const project = inject("project");

const blocks = codeBlocks(readFileSync(join(root, "docs/testing.md"), "utf8"));

/** Runs the block for a runner in a folder of its own, by that runner. Gives what it says. */
async function runBlock(info: string, file: string, command: string): Promise<string> {
  const code = blocks.find((block) => block.info === info)?.code ?? "";
  const folder = join(project, info.replace(" ", "-"));
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, file), code);
  const bin = join(project, "node_modules", ".bin");
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, NO_COLOR: "1", CI: "" };
  const line = `backlot init fixtures && backlot exec fixtures -- ${command}`;
  const { stdout, stderr } = await promisify(execFile)("sh", ["-euc", line], { cwd: folder, env });
  return stdout + stderr;
}

test("the tests for Jest pass under Jest", async () => {
  const jest = join(project, "node_modules/jest/bin/jest.js");
  const options = "--rootDir . --testMatch '**/chat.test.mjs'";
  const command = `node --experimental-vm-modules ${jest} ${options}`;
  expect(await runBlock("js jest", "chat.test.mjs", command)).toMatch(/Tests:\s+1 passed/);
});

test("the tests for Playwright pass under Playwright", async () => {
  const said = await runBlock(
    "ts playwright",
    "users.test.ts",
    "playwright test users --reporter=line",
  );
  expect(said).toMatch(/1 passed/);
});
