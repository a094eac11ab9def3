import { createOpenAI } from "@ai-sdk/openai";
import { OpenAIEmbeddings } from "@langchain/openai";
import { cosineSimilarity, embed, embedMany } from "ai";
import OpenAI, { AzureOpenAI } from "openai";
import { expect } from "vitest";
import { openaiClient } from "../../support/clients/openai.ts";
import { connection, strict } from "../../support/clients/stream-outcome.ts";
import { contract } from "../../support/contract.ts";
import type { Service } from "../../support/transports.ts";

const model = "text-embedding-3-small";
const near = "Refunds take five working days.";
const fixtures = {
  models: [
    { id: model, kind: "embedding" },
    { id: "atlas", kind: "chat" },
  ],
  embeddings: [{ text: "Money back?", near }],
};

const question = "When are my parcels sent?";
const passages = [near, "A parcel is sent at noon.", "Whales sleep under water."];

/** The place of the passage that is nearest to a question. */
function nearest(asked: readonly number[], vectors: readonly (readonly number[])[]): number {
  const scores = vectors.map((vector) => cosineSimilarity([...asked], [...vector]));
  return scores.indexOf(Math.max(...scores));
}

contract("gives the openai client vectors, which it asks for in base64", async (transport) => {
  await using service = await transport.open(fixtures, strict);
  const client = openaiClient(service);
  const { data, usage, ...rest } = await client.embeddings.create({
    model,
    input: [question, ...passages],
  });
  expect(rest).toMatchObject({ object: "list", model });
  expect(usage.prompt_tokens).toBeGreaterThan(20);
  const [asked = [], ...vectors] = data.map(({ embedding }) => embedding);
  expect(asked).toHaveLength(1536);
  expect(nearest(asked, vectors)).toBe(1);
  const numbers = await client.embeddings.create({
    model,
    input: question,
    encoding_format: "float",
  });
  expect(numbers.data[0]?.embedding).toEqual(asked);
  const short = await client.embeddings.create({ model, input: question, dimensions: 256 });
  expect(short.data[0]?.embedding).toHaveLength(256);
});

contract("gives the openai client for Azure the vectors of a deployment", async (transport) => {
  await using service = await transport.open(fixtures, strict);
  const { apiKey, fetch } = connection(service);
  const client = new AzureOpenAI({
    endpoint: service.baseUrl,
    apiKey,
    apiVersion: "2026-10-21",
    deployment: model,
    ...(fetch === undefined ? {} : { fetch }),
  });
  const { data } = await client.embeddings.create({ model, input: question });
  const [usual] = (await openaiClient(service).embeddings.create({ model, input: question })).data;
  expect(data[0]?.embedding).toEqual(usual?.embedding);
});

contract("tells the openai client that a model makes no embeddings", async (transport) => {
  await using service = await transport.open(fixtures, strict);
  const error = await openaiClient(service)
    .embeddings.create({ model: "atlas", input: "a" })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
});

contract("lets the AI SDK embed a text, and many of them", async (transport) => {
  await using service = await transport.open(fixtures, strict);
  const embedding = createOpenAI(connection(service)).embedding(model);
  const { embedding: asked, usage } = await embed({ model: embedding, value: question });
  expect(usage.tokens).toBeGreaterThan(3);
  const { embeddings } = await embedMany({ model: embedding, values: passages });
  expect(nearest(asked, embeddings)).toBe(1);
  const given = await embed({ model: embedding, value: "Money back?" });
  expect(nearest(given.embedding, embeddings)).toBe(0);
});

/** LangChain's client of embeddings. */
function langchainEmbeddings(service: Service, dimensions?: number): OpenAIEmbeddings {
  const { apiKey, ...configuration } = connection(service);
  const short = dimensions === undefined ? {} : { dimensions };
  return new OpenAIEmbeddings({ model, apiKey, configuration, ...short });
}

contract("lets LangChain embed documents and a query", async (transport) => {
  await using service = await transport.open(fixtures, strict);
  const embeddings = langchainEmbeddings(service);
  const vectors = await embeddings.embedDocuments(passages);
  expect(nearest(await embeddings.embedQuery(question), vectors)).toBe(1);
  const short = await langchainEmbeddings(service, 64).embedQuery(question);
  expect(short).toHaveLength(64);
});
