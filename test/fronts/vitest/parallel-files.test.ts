import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/index.ts";
import { runOwnVitest } from "../../support/own-vitest.ts";
import { fixtures, settings } from "./parallel-files/fixtures.ts";

const folder = fileURLToPath(new URL("parallel-files", import.meta.url));
/** Runs those files, as a user's that import the package. */
function runFiles(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof runOwnVitest> {
  const module = { VITEST_MODULE: inject("vitestModule") };
  return runOwnVitest(folder, ["--sequence.concurrent", ...args], { ...module, ...env });
}

async function served(): Promise<{ readonly emulator: Emulator; readonly url: string }> {
  const emulator: Emulator = await createEmulator({ fixtures, ...settings });
  const server = await startServer(emulator, { port: 0 });
  onTestFinished(() => server.close());
  return { emulator, url: server.url };
}

// In processes of their own, as is the default, they run against a server below.
test.each([["--pool=threads"], ["--no-isolate"]])(
  "tests of files that run at a time see nothing of each other, %s",
  { timeout: 60_000 },
  async (option) => {
    const { code, out } = await runFiles([option]);
    expect(out).toMatch(/Tests +200 passed/);
    expect(code).toBe(0);
  },
);

test("tests leave no session on a server that was there before", { timeout: 60_000 }, async () => {
  const { emulator, url } = await served();
  const { code, out } = await runFiles(["served"], { BACKLOT_URL: url });
  expect(out).toMatch(/Tests +120 passed/);
  expect(code).toBe(0);
  expect(emulator.core.sessions.list()).toEqual([]);
  expect(emulator.tables["users"]?.rows()).toEqual([{ id: 1, name: "Ada" }]);
  expect(emulator.chats.list()).toHaveLength(1);
  expect(emulator.journal.list().map(({ query }) => query)).toHaveLength(3);
});
