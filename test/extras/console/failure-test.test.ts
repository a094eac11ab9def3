import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { failureTest } from "../../../src/extras/console/requests/failure-test.ts";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { runOwnVitest } from "../../support/own-vitest.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

// All files in one process, which loads the code once: a test waits one second for an answer that never ends.
const config = `
  const alias = { "backlot/vitest": ${JSON.stringify(inject("vitestModule"))} };
  const test = { testTimeout: 60_000, maxWorkers: 1, isolate: false };
  export default { resolve: { alias }, test };`;

const profiles = { tables: "document", chat: "document" } as const;

const chats = [
  {
    name: "cut",
    when: { user: "cut" },
    reply: { content: "One two three four", fault: { kind: "cut", afterChunks: 3 } },
  },
  {
    name: "stalled",
    when: { user: "stalled" },
    reply: { content: "One two three", fault: { kind: "stall", afterChunks: 2 } },
  },
  {
    name: "refused",
    when: { user: "refused" },
    reply: { error: { status: 429, message: "Slowly." } },
  },
  { name: "fine", reply: { content: "All is well." } },
] as const;

/** Fails in each way once, and returns what the journal has of it with the test that is saved of it. */
async function failuresOf(emulator: Emulator): Promise<readonly string[]> {
  const chat = async (user: string, stream: boolean): Promise<void> => {
    const body = JSON.stringify({
      model: "atlas",
      stream,
      messages: [{ role: "user", content: user }],
    });
    const headers = { "content-type": "application/json", authorization: "Bearer sk-secret" };
    const isEndless =
      user === "stalled" || emulator.faults.list().some(({ fault }) => fault === "hang");
    const leaving = new AbortController();
    const asked = { method: "POST", headers, body, signal: leaving.signal };
    const answer = emulator
      .fetch("/v1/chat/completions", asked)
      .then((response) => response.text());
    if (isEndless) {
      const isSilent = (): unknown => {
        const entry = emulator.journal.list().at(-1);
        return entry !== undefined && (user === "stalled" ? entry.chunksSent === 2 : entry.fault);
      };
      await expect.poll(isSilent, { timeout: 30_000 }).toBeTruthy();
      leaving.abort();
    }
    await answer.catch(() => undefined);
  };
  for (const user of ["cut", "stalled", "refused"]) await chat(user, true);
  for (const rule of [
    { fault: "hang" },
    { fault: "reset", afterChunks: 1 },
    { fault: "malformed" },
    { status: 500, message: "Down." },
  ] as const) {
    emulator.faults.add({ ...rule, times: 1 });
    await chat("fine", true);
  }
  await emulator.fetch("/rest/users/9", { headers: { authorization: "Bearer wrong" } });
  const entries = emulator.journal.list();
  return entries.map((entry) => {
    const script = emulator.chats.list().find(({ name }) => name === entry.script);
    return failureTest(entry, { script, profiles });
  });
}

test(
  "a saved failure is a test that runs as it is, and shows no key",
  { timeout: 90_000 },
  async () => {
    const emulator: Emulator = await createEmulator({
      fixtures: { chats, tables: { users: [{ id: 1 }] } },
    });
    const texts = await failuresOf(emulator);
    expect(texts.join("\n")).not.toContain("sk-secret");
    const files = texts.map((text, index) => [`failure-${index}.test.ts`, text] as const);
    const folder = await temporaryFolder({
      "vitest.config.mjs": config,
      ...Object.fromEntries(files),
    });
    symlinkSync(join(root, "node_modules"), join(folder.path, "node_modules"));
    const { code, out } = await runOwnVitest(folder.path, []);
    expect(out).toMatch(/Tests +8 passed/);
    expect(code).toBe(0);
  },
);

test("a saved failure of a script has the script, and plans no fault besides", async () => {
  const emulator: Emulator = await createEmulator({ fixtures: { chats } });
  const [ofScript = "", , , planned = ""] = await failuresOf(emulator);
  expect(ofScript).toContain("One two three four");
  expect(ofScript).not.toContain("faults.add");
  expect(planned).toContain('"fault": "hang"');
});
