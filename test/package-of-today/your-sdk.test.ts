import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, inject, test } from "vitest";
import { root } from "../../scripts/compat/scratch.ts";
import { codeBlocks } from "../support/markdown-blocks.ts";

const project = inject("project");
const folder = join(project, "your-sdk");
const page = readFileSync(join(root, "docs/your-sdk.md"), "utf8");

/** Runs a command there, where `backlot` is that of the packed package. */
function run(program: string, ...args: readonly string[]): Promise<{ stdout: string }> {
  const PATH = `${join(project, "node_modules/.bin")}:${process.env["PATH"]}`;
  return promisify(execFile)(program, args, { cwd: folder, env: { ...process.env, PATH } });
}

beforeAll(() => void mkdirSync(folder, { recursive: true }));

const programs = codeBlocks(page).filter(({ info }) => info === "ts sdk");

test("the page has a program for each of five SDKs of JavaScript", () => {
  expect(programs).toHaveLength(5);
});

// A comment `// → text` says what the program prints.
test.for(programs)(
  "the program of docs/your-sdk.md in line $line prints what it says",
  async (block) => {
    const file = `line-${block.line}.mts`;
    const code = block.code.replaceAll('"http://127.0.0.1:4010/v1"', "process.env.OPENAI_BASE_URL");
    writeFileSync(join(folder, file), code);
    const serving = ["exec", "--chat-profile", "openai", "--"];
    const { stdout } = await run("backlot", ...serving, "node", file);
    const lines = [...block.code.matchAll(/\/\/ → (.*)/g)];
    expect(lines).not.toEqual([]);
    for (const [, text = ""] of lines) expect(stdout).toContain(text);
  },
);
