import { expect, test } from "vitest";
import { askRaw, onlyRecording } from "./recorded.ts";
import { answering, startRecording, startService } from "./recording-proxy.ts";

test("passes HEAD on, and its answer's length", async () => {
  const service = await startService(
    answering({ "content-length": "5", "content-type": "text/plain" }),
  );
  const proxy = await startRecording({ tables: service });
  const answer = await askRaw(`${proxy.tablesUrl}/users`, { method: "HEAD" });
  expect(answer).toMatchObject({ status: 200, headers: { "content-length": "5" }, body: "" });
  expect(onlyRecording((await proxy.finish()).cassettes)).toMatchObject({
    request: { method: "HEAD" },
    answer: { status: 200, headers: { "content-length": "5" } },
  });
});

test("passes 204 on, and records that there was no body", async () => {
  const service = await startService((_, response) => response.writeHead(204).end());
  const proxy = await startRecording({ tables: service });
  const answer = await askRaw(`${proxy.tablesUrl}/users/1`, { method: "DELETE" });
  expect(answer.status).toBe(204);
  expect(answer.headers).not.toHaveProperty("content-length");
  expect(onlyRecording((await proxy.finish()).cassettes).answer).toEqual({
    status: 204,
    headers: {},
    afterMs: expect.any(Number),
  });
});

test("passes 304 on, and does not record it, since a replay does not know what a client has", async () => {
  const service = await startService((_, response) =>
    response.writeHead(304, { etag: '"1"' }).end(),
  );
  const proxy = await startRecording({ tables: service });
  const answer = await askRaw(`${proxy.tablesUrl}/users`, { headers: { "if-none-match": '"1"' } });
  expect([answer.status, answer.headers["etag"]]).toEqual([304, '"1"']);
  expect((await proxy.finish()).cassettes).toEqual([]);
});

test("does not record a part of a body, unless requests are told apart by the header that asks for it", async () => {
  const service = await startService((_, response) => response.writeHead(206).end("part"));
  const without = await startRecording({ tables: service });
  const withRange = await startRecording({ tables: service }, { rules: { headers: ["range"] } });
  for (const { tablesUrl } of [without, withRange]) {
    await askRaw(`${tablesUrl}/users`, { headers: { range: "bytes=0-3" } });
  }
  expect((await without.finish()).cassettes).toEqual([]);
  expect(without.notRecorded[0]?.reason).toContain('Name that under "recording.headers"');
  const recording = onlyRecording((await withRange.finish()).cassettes);
  expect(recording).toMatchObject({
    request: { headers: { range: "bytes=0-3" } },
    answer: { status: 206 },
  });
});

test("passes a redirect on and does not follow it", async () => {
  const service = await startService((_, response) =>
    response.writeHead(307, { location: "https://elsewhere.example/" }).end(),
  );
  const proxy = await startRecording({ tables: service });
  const answer = await askRaw(`${proxy.tablesUrl}/users`);
  expect([answer.status, answer.headers.location]).toEqual([307, "https://elsewhere.example/"]);
  expect(onlyRecording((await proxy.finish()).cassettes).answer).toMatchObject({
    status: 307,
    headers: { location: "https://elsewhere.example/" },
  });
});

test("waits for the answer behind informational ones", async () => {
  const service = await startService((_, response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.end("[]");
  });
  const proxy = await startRecording({ tables: service });
  expect(await askRaw(`${proxy.tablesUrl}/users`)).toMatchObject({ status: 200, body: "[]" });
  expect(onlyRecording((await proxy.finish()).cassettes).answer.status).toBe(200);
});

test("passes every cookie on in a line of its own", async () => {
  const service = await startService((_, response) =>
    response.setHeader("set-cookie", ["a=1", "b=2", "c=3"]).end(),
  );
  const proxy = await startRecording({ tables: service });
  const cookies = ["a=1", "b=2", "c=3"];
  expect((await askRaw(`${proxy.tablesUrl}/users`)).headers["set-cookie"]).toEqual(cookies);
  expect(onlyRecording((await proxy.finish()).cassettes).answer.headers).toMatchObject({
    "set-cookie": "a=[cookie 1]\nb=[cookie 2]\nc=[cookie 3]",
  });
});
