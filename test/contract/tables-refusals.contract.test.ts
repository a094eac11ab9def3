import { expect } from "vitest";
import { contract, ofTheEmulator } from "../support/contract.ts";
import { contractTables } from "../support/contract-tables.ts";
import { refusedRequests } from "../support/refused-requests.ts";
import { refusedWrites } from "../support/refused-writes.ts";
import { ask, type Asking } from "../support/requests.ts";
import type { Transport } from "../support/transports.ts";

const fixtures = { tables: contractTables };

/** What is sent, for a title. */
function describeBody({ json, body, headers }: Asking): string {
  const sent = typeof body === "object" ? "bytes" : (JSON.stringify(json) ?? body ?? "");
  return [sent, headers?.["content-type"]].join(" ").trim() || "without a body";
}

for (const { line, asking = {}, status, code, says } of [...refusedRequests, ...refusedWrites]) {
  const refuses = async (transport: Transport): Promise<void> => {
    await using service = await transport.open(fixtures);
    const before = JSON.stringify(await service.inside.allRows());
    const answer = await ask(service, line, asking);
    const after = JSON.stringify(await service.inside.allRows());
    expect(answer.body).toMatchObject({ error: expect.any(String), code });
    expect(answer.status).toBe(status);
    for (const part of says) expect(answer.text).toContain(JSON.stringify(part).slice(1, -1));
    expect(after).toBe(before);
  };
  contract(`refuses ${line} ${describeBody(asking)} as ${code}`, refuses, ofTheEmulator);
}

contract("names the methods that are possible when it refuses another one", async (transport) => {
  await using service = await transport.open(fixtures);
  const { status, headers } = await ask(service, "POST /rest/users/1", { json: {} });
  expect(status).toBe(405);
  expect(headers.get("allow")).toBe("GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
});

contract("refuses a body over the limit and keeps answering", async (transport) => {
  await using service = await transport.open(fixtures, { bodyLimit: 1_000 });
  const name = "x".repeat(1_000);
  const large = await ask(service, "POST /rest/users", { json: { name } });
  const fitting = await ask(service, "POST /rest/users", { json: { name: name.slice(0, 900) } });
  expect(large.status).toBe(413);
  expect(large.body).toMatchObject({
    code: "body_too_large",
    error: expect.stringContaining("1000"),
  });
  expect(fitting.status).toBe(201);
  expect(await service.inside.rows("users")).toHaveLength(6);
});

contract("refuses a body over the limit whose length is not announced", async (transport) => {
  await using service = await transport.open(fixtures, { bodyLimit: 100_000 });
  const chunk = new TextEncoder().encode(" ".repeat(40_000));
  let left = 5;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      left -= 1;
      if (left < 0) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const { status, body: answer } = await ask(service, "POST /rest/users", { body });
  expect(status).toBe(413);
  expect(answer).toMatchObject({ code: "body_too_large" });
});

contract("refuses a body nested too deeply", async (transport) => {
  await using service = await transport.open(fixtures);
  const tags = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const { status, body } = await ask(service, "POST /rest/users", {
    body: `{"name":"x","tags":${tags}}`,
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "not_json", error: expect.stringContaining("deep") });
});
