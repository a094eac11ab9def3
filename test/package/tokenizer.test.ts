import { execFileSync, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = { "fixtures/config.json": { tokenizer: "o200k_base" } };

/** A project with the package and, if it is named, another one. */
async function project(...more: readonly string[]): Promise<string> {
  const { path } = await temporaryFolder(fixtures);
  cpSync(join(inject("installed"), "node_modules"), join(path, "node_modules"), {
    recursive: true,
  });
  for (const name of more) {
    const from = join(root, "node_modules", name);
    cpSync(from, join(path, "node_modules", name), { recursive: true });
  }
  return path;
}

const command = "node_modules/backlot/dist/command/backlot.js";

test("an exact tokenizer says which package it needs before anything is served", async () => {
  const cwd = await project();
  for (const does of ["check", "start"]) {
    const { status, stderr } = spawnSync(process.execPath, [command, does, "fixtures"], {
      cwd,
      encoding: "utf8",
    });
    expect([does, status, stderr]).toEqual([
      does,
      1,
      'error: Cannot use the tokenizer "o200k_base": the package gpt-tokenizer could not be loaded. ' +
        'Install it: npm install --save-dev gpt-tokenizer. Or use the tokenizer "estimate".\n',
    ]);
  }
});

test("an exact tokenizer counts once its package is installed", async () => {
  const cwd = await project("gpt-tokenizer");
  const script = `
    import { createEmulator } from "backlot";
    const emulator = await createEmulator({ fixtures: { tokenizer: "o200k_base" } });
    const answer = await emulator.fetch("/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer local-key", "content-type": "application/json" },
      body: JSON.stringify({ model: "any", messages: [{ role: "user", content: "antidisestablishmentarianism" }] }),
    });
    console.log((await answer.json()).usage.prompt_tokens);`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd });
  expect(Number(printed)).toBe(13);
});
