// Runs once in each environment of vitest: each has a fetch and a Request of its own.
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { Window } from "happy-dom";
import { setupServer } from "msw/node";
import nodeFetch, { Request as NodeFetchRequest } from "node-fetch";
import { Request as UndiciRequest } from "undici";
import { expect, test } from "vitest";
import * as polyfill from "whatwg-fetch";
import { handlers, refuseUnhandled } from "../../../../src/fronts/msw/index.ts";
import { startServer } from "../../../../src/fronts/node/index.ts";
import { createEmulator } from "../../../../src/index.ts";

const origin = "http://localhost:3000";

const post = (body) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const messages = [{ role: "user", content: "Hello" }];

const asked = [
  ["a row", "/rest/users/1", {}],
  ["no table", "/rest/nothing/1", {}],
  ["a new row", "/rest/users", post({ name: "Bö" })],
  ["a chat", "/v1/chat/completions", post({ model: "m", messages })],
  ["a stream", "/v1/chat/completions", post({ model: "m", stream: true, messages })],
  ["a status without a name", "/v1/chat/completions", post({ model: "busy", messages })],
];

const begin = () =>
  createEmulator({
    auth: false,
    seed: 1,
    clock: 0,
    fixtures: {
      tables: { users: [{ id: 1, name: "Ada" }] },
      chats: [
        { when: { model: "busy" }, reply: { error: { status: 529, message: "Overloaded." } } },
        { reply: { chunks: ["one", "twö"] } },
      ],
    },
  });

/** The headers that differ by connection or time. */
const others = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "openai-processing-ms",
  "transfer-encoding",
]);

const seenOf = (status, statusText, headers, body) => ({
  status,
  statusText,
  headers: Object.fromEntries(headers.filter(([name]) => !others.has(name)).toSorted()),
  body,
});

async function overHttp(path, { method, headers, body }) {
  const server = await startServer(await begin(), { port: 0 });
  const answer = await new Promise((resolve, reject) => {
    const request = httpRequest(server.url + path, { method, headers }, resolve);
    request.on("error", reject).end(body);
  });
  const { statusCode, statusMessage } = answer;
  const seen = seenOf(
    statusCode,
    statusMessage,
    Object.entries(answer.headers),
    await text(answer),
  );
  await server.close();
  return seen;
}

/** Clients whose requests msw takes. */
const behindMsw = {
  fetch: (...given) => fetch(...given),
  "node-fetch": nodeFetch,
  // It asks by XMLHttpRequest.
  ...(globalThis.XMLHttpRequest === undefined ? {} : { "whatwg-fetch": polyfill.fetch }),
};

const requests = {
  "the global": Request,
  "node-fetch's": NodeFetchRequest,
  "undici's": UndiciRequest,
  "whatwg-fetch's": polyfill.Request,
  "another window's": new Window({ url: origin }).Request,
};

async function expectSameAsHttp(response, path, init) {
  const { status, statusText, headers } = response;
  const seen = seenOf(status, statusText, [...headers], await response.text());
  // What a page may read, and of which site, depends on where the page is.
  const expected = await overHttp(path, init);
  expect(seen).toEqual(expected);
}

const each = (ways) =>
  Object.entries(ways).flatMap(([name, way]) =>
    asked.map(([what, ...ask]) => [name, what, way, ask]),
  );

test.for(each(behindMsw))("%s behind msw: %s", async ([, , ask, [path, init]]) => {
  const server = setupServer(...handlers(await begin()));
  server.listen(refuseUnhandled);
  let response;
  try {
    response = await ask(origin + path, init);
  } finally {
    server.close();
  }
  await expectSameAsHttp(response, path, init);
});

test.for(each(requests))(
  "emulator.fetch with %s Request: %s",
  async ([, , Class, [path, init]]) => {
    const emulator = await begin();
    await expectSameAsHttp(await emulator.fetch(new Class(origin + path, init)), path, init);
  },
);
