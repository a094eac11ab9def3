import { brotliCompressSync, gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { runtimeTimers } from "../../../../src/core/emulator/environment.ts";
import { fixtureSetFrom } from "../../../../src/core/emulator/emulator.ts";
import type { VerifiedRequest } from "../../../../src/extras/recordings/verify/report.ts";
import { verify } from "../../../../src/extras/recordings/verify/verify.ts";
import { plantedService } from "../../../support/planted-service.ts";

const type = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };
const body = JSON.stringify({ data: [{ id: "a" }] });

/** A recording of JSON, or of a stream. */
function fixturesFor(isStream: boolean): object {
  const stream = [
    { atMs: 1, text: 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n' },
    { atMs: 2, text: "data: [DONE]\n\n" },
  ];
  const answer = isStream
    ? { headers: events, stream, end: { atMs: 2, how: "close" } }
    : { headers: type, body: { json: JSON.parse(body) as unknown } };
  const recording = {
    request: { method: "GET", path: "/models" },
    answer: { status: 200, afterMs: 1, ...answer },
  };
  const upstream = "https://api.example.com/v1";
  return { cassettes: [{ name: "c", interface: "chat", upstream, recordings: [recording] }] };
}

/** What comes of a service that answers as it likes. */
async function verified(
  answer: (response: ServerResponse) => void,
  { isStream = false, timeoutMs = 60_000 } = {},
): Promise<VerifiedRequest["drifts"]> {
  const against = await plantedService(async (_, { response }) => {
    answer(response);
    return undefined;
  });
  const fixtures = await fixtureSetFrom(fixturesFor(isStream), {});
  const report = await verify(
    { fixtures, against, only: "cassettes", timeoutMs },
    { fetch: (request) => fetch(request), timers: runtimeTimers, random: () => 0 },
  );
  return report.requests.flatMap(({ drifts }) => drifts);
}

test.each([
  ["gzip", gzipSync(body)],
  ["br", brotliCompressSync(body)],
])("reads an answer that is compressed by %s", async (encoding, bytes) => {
  const drifts = await verified((response) => {
    response.writeHead(200, { ...type, "content-encoding": encoding }).end(bytes);
  });
  expect(drifts).toEqual([]);
});

test.each([
  [
    "is a redirect",
    (response: ServerResponse) => void response.writeHead(302, { location: "/elsewhere" }).end(),
    [{ place: "status", service: "302", emulator: "200" }],
  ],
  [
    "is a page",
    (response: ServerResponse) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    [{ place: "header.content-type", service: "text/html", emulator: "application/json" }],
  ],
  [
    "is no JSON",
    (response: ServerResponse) => void response.writeHead(200, type).end('{"data":'),
    [{ place: "body", service: "a text that is not JSON", emulator: "JSON: object" }],
  ],
  [
    "is no text",
    (response: ServerResponse) => void response.writeHead(200, type).end(Buffer.from([0xff, 0xfe])),
    [{ place: "body", service: "bytes that are not text", emulator: "JSON: object" }],
  ],
  [
    "is empty",
    (response: ServerResponse) => void response.writeHead(200, type).end(),
    [{ place: "body", service: "nothing", emulator: "JSON: object" }],
  ],
  [
    "is compressed, but is not",
    (response: ServerResponse) =>
      void response.writeHead(200, { ...type, "content-encoding": "gzip" }).end(body),
    [{ place: "end", service: "broken off", emulator: "complete" }],
  ],
  [
    "is shorter than it says",
    (response: ServerResponse) => {
      response.writeHead(200, { ...type, "content-length": "1000" });
      response.write(body, () => response.destroy());
    },
    [{ place: "end", service: "broken off", emulator: "complete" }],
  ],
  [
    "breaks before its head",
    (response: ServerResponse) => void response.destroy(),
    [{ place: "status", service: "no answer (the connection broke)", emulator: "200" }],
  ],
])("tells that an answer %s", async (_, answer, drifts) => {
  expect(await verified(answer)).toEqual(drifts);
});

test("tells that a stream breaks", async () => {
  const drifts = await verified(
    (response) => {
      response.writeHead(200, events);
      response.write('data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n', () =>
        response.destroy(),
      );
    },
    { isStream: true },
  );
  expect(drifts).toEqual([{ place: "end", service: "broken off", emulator: "complete" }]);
});

test("waits no longer than it was told for an answer that does not come", async () => {
  const drifts = await verified(() => undefined, { timeoutMs: 50 });
  expect(drifts).toEqual([{ place: "status", service: "no answer in time", emulator: "200" }]);
});

test("waits no longer than it was told for the end of a stream", async () => {
  const drifts = await verified(
    (response) => {
      response.writeHead(200, events);
      const timer = setInterval(() => response.write(": ping\n\n"), 5);
      response.on("close", () => clearInterval(timer));
    },
    { isStream: true, timeoutMs: 1_000 },
  );
  expect(drifts).toEqual([{ place: "end", service: "no end in time", emulator: "complete" }]);
});

test("stops to read an answer that has no end", async () => {
  const drifts = await verified((response) => {
    response.writeHead(200, type);
    const megabyte = Buffer.alloc(1_000_000, 0x20);
    const more = (): void => {
      while (!response.destroyed && response.write(megabyte)) continue;
    };
    response.on("drain", more);
    more();
  });
  expect(drifts).toEqual([{ place: "end", service: "too long to read", emulator: "complete" }]);
});

test("does not wait for what a recording does not have whose client left", async () => {
  const fixtures: unknown = JSON.parse(
    JSON.stringify(fixturesFor(true)).replace('"close"', '"hang"'),
  );
  const against = await plantedService(async () => {
    const text = 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\ndata: [DONE]\n\n';
    return new Response(text, { headers: events });
  });
  const report = await verify(
    { fixtures: await fixtureSetFrom(fixtures, {}), against, only: "cassettes" },
    { fetch: (request) => fetch(request), timers: runtimeTimers, random: () => 0 },
  );
  expect(report.counts).toMatchObject({ compared: 1, drifted: 0 });
});
