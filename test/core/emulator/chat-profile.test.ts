import { expect, test } from "vitest";
import { createEmulator, type EmulatorSettings } from "../../../src/index.ts";

/** The status of a request with an argument that no service knows. */
async function statusOf(fixtures: object, settings: EmulatorSettings = {}): Promise<number> {
  const emulator = await createEmulator({ ...settings, fixtures });
  const response = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer k", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], top_k: 1 }),
  });
  return response.status;
}

test.each<[string, object, EmulatorSettings, number]>([
  ["by itself", {}, {}, 200],
  ["by the config", { profiles: { chat: "openai" } }, {}, 400],
  ["by the options", {}, { profiles: { chat: "openai" } }, 400],
  [
    "by the options first",
    { profiles: { chat: "openai" } },
    { profiles: { chat: "document" } },
    200,
  ],
  ["by the tables' profile", {}, { profiles: { tables: "starbasedb" } }, 200],
])("is as strict as it is told %s", async (_, fixtures, settings, status) => {
  expect(await statusOf(fixtures, settings)).toBe(status);
});

test("names the profile that a wrong one was meant to be, in the options and in the config", async () => {
  const options: EmulatorSettings = JSON.parse('{"profiles":{"chat":"opnai"}}');
  await expect(statusOf({}, options)).rejects.toThrow(
    'Cannot use the chat profile "opnai": there is no such profile. Did you mean "openai"?',
  );
  await expect(statusOf({ profiles: { chat: "opnai" } })).rejects.toThrow('Did you mean "openai"?');
});
