import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";

const emulator = `import { createEmulator } from "backlot";
  const fixtures = { tables: { users: [{ id: 1 }] }, chats: [{ reply: { content: "Hi." } }] };
  const { fetch } = await createEmulator({ fixtures, auth: false });`;
const chat = `await fetch("/v1/chat/completions", { method: "POST", body: JSON.stringify({
  model: "any", messages: [{ role: "user", content: "Hello" }] }) });`;

/** The paths of all files of modules that Node loads for a program, as V8 lists them. */
function loadedBy(program: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "backlot-budget-"));
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      {
        cwd: inject("project"),
        env: { ...process.env, NODE_V8_COVERAGE: folder },
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new Error(stderr);
    return readdirSync(folder)
      .flatMap((name): readonly { readonly url: string }[] => {
        const { result } = JSON.parse(readFileSync(join(folder, name), "utf8"));
        return result;
      })
      .filter(({ url }) => url.startsWith("file:") && !url.includes("[eval"))
      .map(({ url }) => fileURLToPath(url));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Each file takes Node 0.5 ms before it is read, and 50 KB of code take 2 ms: `npm run bench -- first-assertion`. Ten
 * KB are the rows of what the profile openai answers, and the fixtures of embeddings; how it answers is loaded late.
 */
test.each([
  ['import "backlot"', 'import "backlot";', 4, 322],
  ["createEmulator", emulator, 5, 490],
  ["the first table answer", `${emulator} await fetch("/rest/users/1");`, 6, 532],
  ["the first chat after it", `${emulator} await fetch("/rest/users/1"); ${chat}`, 7, 670],
  ['import "backlot/msw"', 'import "backlot/msw";', 6, 330],
  ['import "backlot/node"', 'import "backlot/node";', 13, 600],
  ['import "backlot/browser"', 'import "backlot/browser";', 9, 336],
  ['import "backlot/worker"', 'import "backlot/worker";', 8, 97],
  ['import "backlot/vite"', 'import "backlot/vite";', 12, 640],
  ['import "backlot/vitest"', 'import "backlot/vitest";', 10, 345],
  ['import "backlot/contract"', 'import "backlot/contract";', 12, 580],
])("Node loads for %s what it is meant to", (_, program, files, kilobytes) => {
  const own = loadedBy(program).filter((path) => /[\\/]backlot[\\/]dist[\\/]/.test(path));
  const size = own.reduce((sum, path) => sum + statSync(path).size, 0) / 1024;
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThanOrEqual(files);
  expect(size).toBeLessThanOrEqual(kilobytes);
});

test("a test file with emulator.fetch loads no other package", () => {
  const loaded = loadedBy(`${emulator} await fetch("/rest/users/1"); ${chat}`);
  expect(loaded.filter((path) => !/[\\/]backlot[\\/]dist[\\/]/.test(path))).toEqual([]);
});
