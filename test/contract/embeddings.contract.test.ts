import { expect } from "vitest";
import { strict } from "../support/clients/stream-outcome.ts";
import { contract } from "../support/contract.ts";

contract("makes the same vector of a text everywhere, without a seed", async (transport) => {
  await using service = await transport.open({ chats: [] }, strict);
  const { clientFetch, baseUrl } = service;
  const response = await clientFetch(`${baseUrl}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: "Bearer local-key", "content-type": "application/json" },
    body: JSON.stringify({
      model: "text-embedding-3-small",
      input: "The quick brown fox",
      encoding_format: "base64",
      dimensions: 4,
    }),
  });
  expect(response.status).toBe(200);
  const { data } = await response.json();
  expect(data[0].embedding).toBe("WRFqvVkRaj28XnG/yoKlPg==");
});
