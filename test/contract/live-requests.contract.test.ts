import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { ask, send } from "../support/requests.ts";
import { readUntil } from "../support/read-stream.ts";
import type { Service } from "../support/transports.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
const local = { token: null, headers: { host: "localhost" } };

/** A stream that is read bit by bit. */
interface Reading {
  /** Reads until all that came so far contains a text, and gives all of it. */
  readonly until: (part: string) => Promise<string>;
  readonly cancel: () => Promise<void>;
}

const opening = "retry: 1000\n\n";

/** Opens a stream of what is asked, and reads that it is there. */
async function watch(service: Service, path: string, headers = {}): Promise<Reading> {
  const response = await send(service, `GET ${path}`, {
    token: null,
    headers: { ...local.headers, ...headers },
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("The response has no body.");
  let text = await readUntil(reader, opening);
  return {
    until: async (part) => {
      if (!text.includes(part)) text += await readUntil(reader, part);
      return text;
    },
    cancel: () => reader.cancel(),
  };
}

contract("tells each request while the stream is open, without its body", async (transport) => {
  await using service = await transport.open(fixtures);
  const reading = await watch(service, "/__backlot/requests/live");
  await ask(service, "GET /rest/users?id=1");
  const first = await reading.until("\nid: 1\n");
  await ask(service, "GET /rest/users?id=2");
  const both = await reading.until("\nid: 2\n");
  await reading.cancel();
  expect(first).toMatch(/^data: \{"id":"1",.*"query":"id=1",.*"ended":"complete",.*\}$/m);
  expect(both.slice(first.length)).toMatch(/^event: request\nid: 2\ndata: /m);
  expect(both).not.toContain("Ada");
});

contract("tells whole entries where that is asked for", async (transport) => {
  await using service = await transport.open(fixtures);
  const reading = await watch(service, "/__backlot/requests/live?bodies=true");
  await ask(service, "GET /rest/users/1");
  const text = await reading.until('"name":"Ada"');
  await reading.cancel();
  expect(text).toMatch(/^data: \{"id":"1",.*"response":\{"headers":/m);
});

contract("tells a request that takes its time as it arrives, and as it ends", async (transport) => {
  const pace = { firstTokenMs: 100 };
  const chats = [{ name: "slow", reply: { content: "Hi.", pace } }];
  await using service = await transport.open({ ...fixtures, chats });
  const reading = await watch(service, "/__backlot/requests/live");
  const json = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  await ask(service, "POST /v1/chat/completions", { json });
  const text = await reading.until("\nid: 1\n");
  await reading.cancel();
  expect(text).toMatch(
    /event: request\ndata: \{.*"ended":"pending",.*\}\n\nevent: request\nid: 1\n/,
  );
});

contract("goes on behind the request that a client has seen last", async (transport) => {
  await using service = await transport.open(fixtures);
  for (const id of [1, 2, 3]) await ask(service, `GET /rest/users?id=${id}`);
  const lost = { "last-event-id": "2" };
  const reading = await watch(service, "/__backlot/requests/live", lost);
  await ask(service, "GET /rest/users?id=4");
  const text = await reading.until("\nid: 4\n");
  await reading.cancel();
  expect([...text.matchAll(/^id: (\d)$/gm)].map(([, id]) => id)).toEqual(["3", "4"]);
});

contract("watches one session, also one that is forgotten meanwhile", async (transport) => {
  await using service = await transport.open(fixtures);
  const reading = await watch(service, "/@one/__backlot/requests/live");
  await ask(service, "GET /rest/users");
  await ask(service, "GET /@one/rest/users");
  await ask(service, "DELETE /__backlot/sessions/one", local);
  await ask(service, "GET /@one/rest/users?id=1");
  await ask(service, "GET /@one/rest/users?id=2");
  const text = await reading.until("\nid: 2\n");
  await reading.cancel();
  const events = [...text.matchAll(/^event: (\w+)\nid: (\d)$/gm)].map(([, ...parts]) => parts);
  expect(events).toEqual([
    ["request", "1"],
    ["cleared", "0"],
    ["request", "1"],
    ["request", "2"],
  ]);
});

contract("tells that the journal was emptied", async (transport) => {
  await using service = await transport.open(fixtures);
  await ask(service, "GET /rest/users");
  const reading = await watch(service, "/__backlot/requests/live");
  await ask(service, "POST /__backlot/reset", local);
  const text = await reading.until("{}\n\n");
  await reading.cancel();
  expect(text).toBe(`${opening}event: cleared\nid: 1\ndata: {}\n\n`);
});

contract("answers HEAD without a stream", async (transport) => {
  await using service = await transport.open(fixtures);
  const { status, text, headers } = await ask(service, "HEAD /__backlot/requests/live", local);
  expect([status, text, headers.get("content-length")]).toEqual([200, "", null]);
});
