import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

const fixtures = {
  apiKeys: ["azure-key"],
  chats: [{ when: { model: "my-gpt" }, reply: { content: "From the deployment." } }],
};

async function ask(
  { fetch }: Emulator,
  path: string,
  headers: Record<string, string> = { "api-key": "azure-key" },
) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "my-gpt", messages: [{ role: "user", content: "Hi" }] }),
  });
  return { status: response.status, body: await response.json() };
}

test.each([
  "/openai/deployments/my-gpt/chat/completions?api-version=2026-10-21",
  "/openai/v1/chat/completions",
  "/v1/chat/completions",
])("under openai, %s answers with the key of Azure's header", async (path) => {
  const emulator = await createEmulator({ fixtures, profiles: { chat: "openai" } });
  const { status, body } = await ask(emulator, path);
  expect(status).toBe(200);
  expect(body.choices[0].message.content).toBe("From the deployment.");
  expect((await ask(emulator, path, { "api-key": "wrong" })).status).toBe(401);
  expect((await ask(emulator, path, { authorization: "Bearer azure-key" })).status).toBe(200);
});

test("the deployment is the model, whatever the body says", async () => {
  const emulator = await createEmulator({ fixtures, profiles: { chat: "openai" } });
  const { status, body } = await ask(emulator, "/openai/deployments/other/chat/completions");
  expect(status).toBe(200);
  expect(body.model).toBe("other");
  expect(body.choices[0].message.content).toBe("Echo: Hi");
});

test("under document, Azure's addresses and key are refused with what to do", async () => {
  const emulator = await createEmulator({ fixtures });
  expect((await ask(emulator, "/v1/chat/completions")).status).toBe(401);
  for (const path of [
    "/openai/deployments/my-gpt/chat/completions",
    "/openai/v1/chat/completions",
  ]) {
    const { status, body } = await ask(emulator, path, { authorization: "Bearer azure-key" });
    expect(status).toBe(404);
    expect(body.error.message).toContain("Use ");
    expect(body.error.message).toContain("/v1/chat/completions");
    expect(body.error.message).toContain("--chat-profile openai");
  }
});

test.each(["document", "openai"] as const)(
  "under %s, what nobody emulates is refused by name, and a recording is advised",
  async (chat) => {
    const emulator = await createEmulator({ fixtures, profiles: { chat } });
    for (const [path, what] of [
      ["/v1/images/generations", "images"],
      ["/audio/speech", "speech"],
      ["/v1/moderations", "moderations"],
      ["/completions", "completions of a prompt"],
    ] as const) {
      const { status, body } = await ask(emulator, path, { authorization: "Bearer azure-key" });
      expect(status).toBe(404);
      expect(body.error.code).toBe("unknown_url");
      expect(body.error.message).toContain(`does not emulate ${what}`);
      expect(body.error.message).toContain("docs/recording.md");
    }
  },
);
