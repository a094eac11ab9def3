import { generateText } from "ai";
import { expect, test } from "vitest";
import { compatibleModel, openaiModel } from "../../support/clients/ai-sdk.ts";
import { langchainModel } from "../../support/clients/langchain.ts";
import { hello, openaiClient } from "../../support/clients/openai.ts";
import { type RetryingClient, retryRules, type Wait } from "../../support/clients/retry-rules.ts";
import { shortenWaits } from "../../support/clients/shortened-waits.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";
import { direct, type Service } from "../../support/transports.ts";

/** Asks once, with two retries, and gives the text. */
type Ask = (service: Service) => Promise<string | null | undefined>;

const askOpenai: Ask = async (service) => {
  const { choices } = await openaiClient(service).chat.completions.create(hello);
  return choices[0]?.message.content;
};

const askAiSdk: Ask = async (service) =>
  (await generateText({ model: compatibleModel(service), prompt: "hi" })).text;

const clients: readonly (readonly [name: RetryingClient, ask: Ask])[] = [
  ["openai", askOpenai],
  ["ai-sdk", askAiSdk],
  [
    "ai-sdk",
    async (service) => (await generateText({ model: openaiModel(service), prompt: "hi" })).text,
  ],
  [
    "langchain",
    async (service) => (await langchainModel(service, { maxRetries: 2 }).invoke("hi")).text,
  ],
];

function between([least, most]: Wait): unknown {
  return expect.toSatisfy((wait: number) => wait >= least && wait <= most, `${least} to ${most}`);
}

for (const [name, ask] of clients) {
  for (const { what, reply, waits } of retryRules) {
    const expected = waits[name];
    const title = `has ${name} try ${expected.length} more times after ${what}`;
    test(`${title} [direct]`, async () => {
      const chats = [{ name: "it", replies: [reply, reply, { content: "Now." }] }];
      await using service = await direct.open({ models, chats });
      using shortened = shortenWaits();
      const text = await ask(service).catch(() => undefined);
      expect(text).toBe(expected.length === 0 ? undefined : "Now.");
      expect(shortened.waits).toEqual(expected.map(between));
      expect(service.log.records).toHaveLength(expected.length + 1);
    });
  }
}

for (const [name, ask] of [
  ["openai", askOpenai],
  ["ai-sdk", askAiSdk],
] as const) {
  contract(`has ${name} try again as soon as retry-after-ms says`, async (transport) => {
    const busy = { error: { status: 429, message: "Slow down.", retryAfterMs: 1 } };
    const chats = [{ name: "it", replies: [busy, busy, { content: "Now." }] }];
    await using service = await transport.open({ models, chats });
    expect(await ask(service)).toBe("Now.");
    await service.log.settled(3);
    expect(service.log.records.map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  contract(`has ${name} try again after a connection that breaks`, async (transport) => {
    const breaking = { content: "Never seen.", fault: { kind: "reset" } };
    const chats = [{ name: "it", replies: [breaking, { content: "Now." }] }];
    await using service = await transport.open({ models, chats });
    using _ = shortenWaits();
    expect(await ask(service)).toBe("Now.");
    await service.log.settled(2);
  });
}
