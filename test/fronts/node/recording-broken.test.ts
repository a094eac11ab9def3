import { expect, test } from "vitest";
import { askRaw, chat, hello, onlyRecording, startRawService, textOf } from "./recorded.ts";
import { startRecording } from "./recording-proxy.ts";

test("breaks the client's body where the service's breaks, and records it so", async () => {
  const service = await startRawService(
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n9\r\ndata: a\n\n\r\n9\r\nda",
  );
  const proxy = await startRecording({ chat: service });
  const answer = await askRaw(`${proxy.chatUrl}/models`);
  expect(answer).toMatchObject({ status: 200, body: "data: a\n\nda", isBroken: true });
  const { stream, end } = onlyRecording((await proxy.finish()).cassettes).answer;
  expect(stream?.map((part) => ("text" in part ? part.text : ""))).toEqual(["data: a\n\n", "da"]);
  expect(end?.how).toBe("reset");
});

test("passes on and records a body that is shorter than its head says", async () => {
  const service = await startRawService(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"half":',
  );
  const proxy = await startRecording({ tables: service });
  const answer = await askRaw(`${proxy.tablesUrl}/users`);
  expect(answer).toMatchObject({ status: 200, body: '{"half":', isBroken: true });
  const recorded = onlyRecording((await proxy.finish()).cassettes).answer;
  expect(recorded).toMatchObject({ headers: { "content-length": "100" }, end: { how: "reset" } });
  expect(textOf(recorded)).toBe('{"half":');
});

test("breaks the client's connection where the service's breaks before the head", async () => {
  const service = await startRawService("");
  const proxy = await startRecording({ tables: service });
  await expect(askRaw(`${proxy.tablesUrl}/users`)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(onlyRecording((await proxy.finish()).cassettes).answer).toEqual({
    status: 0,
    headers: {},
    afterMs: expect.any(Number),
  });
});

test("breaks the client's connection where the service's breaks in the head", async () => {
  const service = await startRawService("HTTP/1.1 200 OK\r\ncontent-ty");
  const proxy = await startRecording({ tables: service });
  await expect(askRaw(`${proxy.tablesUrl}/users`)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(onlyRecording((await proxy.finish()).cassettes).answer.status).toBe(0);
});

test.each([
  ["is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
  ["has a broken head", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"],
])("answers 502 where the answer %s, and records nothing", async (_, bytes) => {
  const service = await startRawService(bytes);
  const proxy = await startRecording({ tables: service });
  const answer = await askRaw(`${proxy.tablesUrl}/users`);
  expect(answer.status).toBe(502);
  expect(answer.body).toContain(
    `The service at ${service} gave no answer: Response does not match`,
  );
  expect((await proxy.finish()).cassettes).toEqual([]);
  expect(proxy.notRecorded[0]?.reason).toContain("does not match the HTTP/1.1 protocol");
});

test("records a body with a broken chunk as one that broke", async () => {
  const service = await startRawService(
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nxyz\r\n",
  );
  const proxy = await startRecording({ tables: service });
  expect(await askRaw(`${proxy.tablesUrl}/users`)).toMatchObject({ body: "abc", isBroken: true });
  expect(onlyRecording((await proxy.finish()).cassettes).answer.end?.how).toBe("reset");
});

test("answers 502 in the interface's envelope where nobody listens", async () => {
  const proxy = await startRecording({ chat: "http://127.0.0.1:1", tables: "http://127.0.0.1:1" });
  const ofChat = await chat(proxy.chatUrl, hello);
  const ofTables = await fetch(`${proxy.tablesUrl}/users`);
  expect([ofChat.status, ofTables.status]).toEqual([502, 502]);
  expect(await ofChat.json()).toMatchObject({
    error: { code: "upstream_failed", message: expect.stringContaining("ECONNREFUSED") },
  });
  expect(await ofTables.json()).toMatchObject({
    code: "upstream_failed",
    error: expect.stringContaining("ECONNREFUSED"),
  });
});

test("answers 502 where a service switches to another protocol", async () => {
  const service = await startRawService(
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
  );
  const proxy = await startRecording({ tables: service });
  expect((await askRaw(`${proxy.tablesUrl}/users`)).status).toBe(502);
});
