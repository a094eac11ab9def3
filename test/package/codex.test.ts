import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { freePort } from "../../scripts/scale/ports.ts";
import { codeBlocks } from "../support/markdown-blocks.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const page = readFileSync(new URL("../../docs/your-sdk.md", import.meta.url), "utf8");
const blocks = codeBlocks(page);

function blockOf(info: string): string {
  return blocks.find((block) => block.info === info)?.code ?? "";
}

test("the page has a configuration of Codex and scripts for it", () => {
  expect(blockOf("toml codex")).toContain('wire_api = "responses"');
  expect(blockOf("jsonc fixtures")).toContain("exec_command");
});

// Its package has 400 MB, so it is no dependency.
const isInstalled = spawnSync("codex", ["--version"]).status === 0;

test.runIf(isInstalled)(
  "Codex calls a tool as a script says, and ends with its answer",
  async () => {
    const { path } = await temporaryFolder();
    const home = join(path, ".codex");
    mkdirSync(home);
    const port = String(await freePort());
    writeFileSync(join(home, "config.toml"), blockOf("toml codex").replace("4010", port));
    writeFileSync(join(path, "fixtures.jsonc"), blockOf("jsonc fixtures"));
    writeFileSync(join(path, "note.txt"), "the sun shines\n");
    const backlot = join(inject("installed"), "node_modules/.bin/backlot");
    const serving = ["exec", "fixtures.jsonc", "--chat-profile", "openai", "--port", port, "--"];
    const asking = ["codex", "exec", "--skip-git-repo-check", "What does the note say?"];
    const running = promisify(execFile)(backlot, [...serving, ...asking], {
      cwd: path,
      env: { ...process.env, CODEX_HOME: home },
    });
    // It waits for more to read otherwise.
    running.child.stdin?.end();
    const { stdout } = await running;
    expect(stdout).toMatch(/^The note says: [^]*the sun shines/m);
  },
);
