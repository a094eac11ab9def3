import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { codeBlocks } from "../support/markdown-blocks.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const page = readPage("other-languages.md");

function readPage(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
}

/** How each language's program is saved and run, what it prints, and what tells whether the language is installed. */
const languages = {
  python: {
    file: "test_shop.py",
    command: ["python3", "-m", "unittest"],
    prints: /Ran 2 tests[^]*\bOK\b/,
    version: ["python3", "--version"],
  },
  go: {
    file: "shop_test.go",
    command: ["go", "test", "shop_test.go"],
    prints: /^ok\b/m,
    version: ["go", "version"],
  },
  java: {
    file: "ShopTest.java",
    command: ["java", "ShopTest.java"],
    prints: /2 tests passed/,
    version: ["javac", "-version"],
  },
  ruby: {
    file: "shop_test.rb",
    command: ["ruby", "shop_test.rb"],
    prints: /2 runs, .* 0 failures, 0 errors/,
    version: ["ruby", "-e", "require 'minitest'"],
  },
} as const;

function isInstalled([program, ...args]: readonly [string, ...string[]]): boolean {
  return spawnSync(program, args).status === 0;
}

function blockOf(info: string): string {
  return codeBlocks(page).find((block) => block.info === info)?.code ?? "";
}

/** The program of a language: Python's stands on the page, the others in a folder of examples. */
function programOf(file: string): string {
  if (file === languages.python.file) return blockOf("python exec");
  const folder = new URL("../../examples/other-languages/", import.meta.url);
  return readFileSync(new URL(file, folder), "utf8");
}

/** Runs a program in a folder, where `npx` and `backlot` are those of the packed package. */
async function run(cwd: string, [program, ...args]: readonly [string, ...string[]]) {
  const bin = join(inject("installed"), "node_modules/.bin");
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, NO_COLOR: "1" };
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env });
  return stdout + stderr;
}

test.each(Object.entries(languages))(
  "the page has a program for %s, saved and run as it says",
  (_, { file, command }) => {
    expect(programOf(file)).not.toBe("");
    expect(page).toContain(`\`${file}\`, for \`${command.join(" ")}\``);
  },
);

for (const [language, { file, command, prints, version }] of Object.entries(languages)) {
  test.runIf(isInstalled(version))(`the tests in ${language} pass`, async () => {
    const { path } = await temporaryFolder();
    writeFileSync(join(path, file), programOf(file));
    await run(path, ["backlot", "init", "fixtures"]);
    expect(await run(path, ["backlot", "exec", "fixtures", "--", ...command])).toMatch(prints);
  });
}

const hasOpenai = isInstalled(["python3", "-c", "import openai"]);

// A comment `# → text` says what the program prints.
test.runIf(hasOpenai)(
  "the program of docs/your-sdk.md for Python prints what it says",
  async () => {
    const { path } = await temporaryFolder();
    const program = codeBlocks(readPage("your-sdk.md")).find(({ info }) => info === "python sdk");
    const code = `import os\n${program?.code ?? ""}`;
    const address = 'os.environ["OPENAI_BASE_URL"]';
    writeFileSync(join(path, "ask.py"), code.replace('"http://127.0.0.1:4010/v1"', address));
    const command = ["exec", "--chat-profile", "openai", "--", "python3", "ask.py"];
    const printed = await run(path, ["backlot", ...command]);
    const lines = [...code.matchAll(/# → (.*)/g)];
    expect(lines).toHaveLength(2);
    for (const [, text = ""] of lines) expect(printed).toContain(text);
  },
);
