import { request } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ownerOf } from "../../../src/fronts/node/cluster/session-owner.ts";
import { sessionsOf, startCluster } from "./clustered.ts";

const workers = 2;
const ids = sessionsOf(workers, (id) => ownerOf(id, workers));

const fixtures = {
  chats: [
    { when: { user: "plain" }, reply: { content: "It rains, and it will." } },
    {
      when: { user: "raw" },
      reply: { chunks: ["a", { raw: "data: {\n\n" }, { comment: "ping" }] },
    },
    ...["cut", "reset", "malformed", "duplicate"].map((kind) => ({
      when: { user: kind },
      reply: { content: "one two three four", fault: { kind, afterChunks: 2 } },
    })),
    { when: { user: "refused" }, reply: { error: { status: 503, message: "Later." } } },
  ],
};

/** So that all sessions begin with the same ids. */
const same = { seed: 1, clock: "2024-01-01T00:00:00Z" };

interface Asked {
  readonly user?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** All that comes of a chat request, up to where its connection ends. */
async function outcome(url: string, { user = "", headers = {}, body }: Asked): Promise<unknown> {
  const messages = [{ role: "user", content: user }];
  const sent = body ?? JSON.stringify({ model: "any", stream: true, messages });
  const asked = request(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": sent.length, ...headers },
  });
  asked.on("error", () => undefined).end(sent);
  const [response] = await Promise.race([
    once(asked, "response"),
    once(asked, "close").then(() => [undefined]),
  ]);
  if (response === undefined) return "no answer";
  let got = "";
  response.setEncoding("utf8").on("data", (part: string) => (got += part));
  await new Promise((resolve) => response.once("close", resolve));
  const { date: _, "openai-processing-ms": __, ...heads } = response.headers;
  return { status: response.statusCode, heads, complete: response.complete, body: got };
}

test.each(["plain", "raw", "cut", "reset", "malformed", "duplicate", "refused"])(
  "gives the same bytes for %s whether the session is in the worker or in another one",
  async (user) => {
    const { urls } = await startCluster(workers, { fixtures, settings: same });
    const [own, other] = ids.map((id) => outcome(`${urls[0]}/@${id}`, { user }));
    expect(await other).toEqual(await own);
    expect(await own).toMatchObject({ status: user === "refused" ? 503 : 200 });
  },
);

test.each([
  ["a key that is missing", {}, { auth: true }, 401],
  ["a body that is too large", { body: "x".repeat(200) }, { bodyLimit: 100 }, 413],
  ["a body that is not JSON", { body: "{" }, {}, 400],
])("refuses %s alike in all workers", async (_, asked, settings, status) => {
  const { urls } = await startCluster(workers, { settings: { ...same, ...settings } });
  const [own, other] = ids.map((id) => outcome(`${urls[0]}/@${id}`, asked));
  expect(await own).toMatchObject({ status });
  expect(await other).toEqual(await own);
});

test("notes in the journal of another worker what was sent to the client", async () => {
  const { urls } = await startCluster(workers, { fixtures });
  for (const id of ids) {
    await outcome(`${urls[0]}/@${id}`, { user: "plain" });
    const journal = await fetch(`${urls[1]}/@${id}/__backlot/requests`);
    const { requests } = JSON.parse(await journal.text());
    expect(requests).toMatchObject([{ id: "1", session: id, status: 200, aborted: false }]);
    expect(requests[0].chunksSent).toBeGreaterThan(2);
  }
});

test.each(["/__backlot/requests", "/__backlot/sessions", `/@${ids[0]}/__backlot/state`])(
  "does not answer a foreign Host at %s through another worker",
  async (path) => {
    const { urls } = await startCluster(workers);
    const asked = request(`${urls[1]}${path}`, { headers: { host: "evil.example" } }).end();
    const [response] = await once(asked, "response");
    expect(response.statusCode).toBe(403);
    expect(await text(response)).toContain("foreign_host");
  },
);
