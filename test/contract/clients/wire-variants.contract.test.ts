import { expect } from "vitest";
import { compatibleModel, openaiModel, readParts } from "../../support/clients/ai-sdk.ts";
import { readMessages } from "../../support/clients/langchain.ts";
import { readChunks, readHelper } from "../../support/clients/openai.ts";
import { type ReadStream, strict } from "../../support/clients/stream-outcome.ts";
import { type ReaderName, wireVariants } from "../../support/clients/wire-variants.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";
import type { Transport } from "../../support/transports.ts";

const readers: Readonly<Record<ReaderName, ReadStream>> = {
  "openai create": readChunks,
  "openai stream": readHelper,
  "ai-sdk openai-compatible": readParts(compatibleModel),
  "ai-sdk openai": readParts(openaiModel),
  langchain: readMessages,
};

// That a stream is the same over each transport is a contract of its own: one shows what a client makes of it.
const oneTransport = { without: ["direct", "msw"] } as const;

for (const [name, read] of Object.entries(readers)) {
  for (const { what, reply, fields = {}, all, but = {} } of wireVariants) {
    const title = `has ${name} read ${what}, in one request`;
    const reads = async (transport: Transport): Promise<void> => {
      const chats = [{ name: "it", reply }];
      await using service = await transport.open({ models, chats }, strict);
      const outcome = await read(service, fields);
      expect(outcome).toMatchObject(
        Object.entries(but).find(([reader]) => reader === name)?.[1] ?? all,
      );
      await service.log.settled(1);
      expect(service.log.records).toHaveLength(1);
    };
    contract(title, reads, oneTransport);
  }
}
