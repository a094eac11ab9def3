import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

test.each([
  ["/api", "/api/chat/completion"],
  ["/api", "/v1/chat/completions"],
  [["/v2", "/api"], "/api/chat/completion"],
])("advises paths that exist below the base path %j to one who asks %s", async (basePath, path) => {
  const emulator = await createEmulator({ basePath });
  const ask = (asked: string): Promise<Response> =>
    emulator.fetch(asked, {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
    });

  const refused = await ask(path);

  const { error } = JSON.parse(await refused.text());
  expect([refused.status, error.message]).toEqual([
    404,
    expect.stringContaining('Did you mean "/api/chat/completions"?'),
  ]);
  expect(error.message).toContain("Use POST /api/chat/completions, ");
  expect((await ask("/api/chat/completions")).status).toBe(200);
});
