import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

const token = "own-token-4711";
const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

test.each([
  ["a name without a value", `?${token}`],
  ["a name that is encoded", `?%6Fwn-token-4711=1`],
  ["a name with a value", `?${token}=${token}`],
  ["a value", `?name.eq=${token}`],
])("neither the journal nor the log shows the emulator's own token: %s", async (_, query) => {
  const logged: unknown[] = [];
  const observer = { exchanged: (exchange: unknown) => void logged.push(exchange) };
  const emulator = await createEmulator({ fixtures, token, observer });
  const headers = { authorization: `Bearer ${token}` };
  await (await emulator.fetch(`/rest/users${query}`, { headers })).text();
  await (await emulator.fetch(`/rest/users?x=${token}`, { headers })).text();
  await expect.poll(() => logged).toHaveLength(2);
  const shown = JSON.stringify([logged, emulator.journal.list()]);
  expect(shown).toContain("***");
  expect(shown).not.toMatch(/(?:o|%6F)wn-token-4711/);
});
