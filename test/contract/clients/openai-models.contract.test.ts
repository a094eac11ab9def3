import OpenAI from "openai";
import { expect } from "vitest";
import { openaiClient } from "../../support/clients/openai.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";

contract("lets the openai client list the models, in one page", async (transport) => {
  await using service = await transport.open({ models });
  const page = await openaiClient(service).models.list();
  expect(page.data.map(({ id }) => id)).toEqual(models.map(({ id }) => id));
  expect(page.hasNextPage()).toBe(false);
  const ids: string[] = [];
  for await (const { id } of page) ids.push(id);
  expect(ids).toEqual(models.map(({ id }) => id));
});

contract("lets the openai client retrieve a model whose id has a slash", async (transport) => {
  await using service = await transport.open({ models });
  const model = await openaiClient(service).models.retrieve("org/tiny:v1");
  expect(model).toEqual({
    id: "org/tiny:v1",
    object: "model",
    created: 1_700_000_001,
    owned_by: "org",
  });
  expect((await service.log.settled(1)).path).toBe("/v1/models/org%2Ftiny:v1");
});

contract("tells the openai client once that a model does not exist", async (transport) => {
  await using service = await transport.open({ models });
  const error = await openaiClient(service)
    .models.retrieve("nope")
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  expect(error).toMatchObject({
    status: 404,
    code: "model_not_found",
    type: "invalid_request_error",
    requestID: expect.stringMatching(/^req_/),
  });
  await service.log.settled(1);
  expect(service.log.records).toHaveLength(1);
});
