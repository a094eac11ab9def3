import { spawn } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const source = (name: string): string => JSON.stringify(join(root, "src/fronts", name));

const users = (name: string): string => JSON.stringify([{ id: 1, name }]);

const configs = {
  "the trigger of the documentation": `import { configDefaults, defineConfig } from "vitest/config";
export default defineConfig({
  test: { forceRerunTriggers: [...configDefaults.forceRerunTriggers, "**/fixtures/**"] },
});`,
  "the Vite plugin": `import { defineConfig } from "vitest/config";
import { backlot } from ${source("vite/index.ts")};
export default defineConfig({ plugins: [backlot({ fixtures: "fixtures" })] });`,
};

/** Starts Vitest's watch mode. Returns what it has said so far. */
function watch(cwd: string): () => string {
  const { PATH = "" } = process.env;
  const bin = join(root, "node_modules/vitest/vitest.mjs");
  const env = { PATH, NO_COLOR: "1", NODE_OPTIONS: `--import=${import.meta.resolve("tsx")}` };
  const child = spawn(process.execPath, [bin, "watch"], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  }
  return () => out;
}

test.for(Object.entries(configs))(
  "runs tests again when a fixture changes, by %s",
  async ([, config]) => {
    const { path: cwd, write } = await temporaryFolder({
      "package.json": '{ "type": "module" }',
      "vitest.config.ts": config,
      "fixtures/tables/users.json": users("Ada"),
      "users.test.js": `import { expect, test } from "vitest";
import { createEmulator } from ${JSON.stringify(join(root, "src/index.ts"))};
import { loadFixtures } from ${source("node/index.ts")};
test("is Ada", async () => {
  const emulator = await createEmulator({ fixtures: await loadFixtures("fixtures") });
  expect(emulator.tables.users.get(1)?.name).toBe("Ada");
});`,
    });
    await symlink(join(root, "node_modules"), join(cwd, "node_modules"));
    const said = watch(cwd);
    await expect.poll(said).toMatch(/1 passed[^]*Waiting for file changes/);
    await write("fixtures/tables/users.json", users("Grace"));
    await expect.poll(said).toContain("expected 'Grace' to be 'Ada'");
  },
);
