import { once } from "node:events";
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { HandTimers } from "../../support/hand-timers.ts";
import { askRaw, chat, hello, onlyRecording, textOf } from "./recorded.ts";
import { answering, startRecording, startService } from "./recording-proxy.ts";

const long = "word ".repeat(2000);

test.each([
  ["gzip", gzipSync(long)],
  ["br", brotliCompressSync(long)],
  ["deflate", deflateSync(long)],
  ["deflate", deflateRawSync(long)],
])("passes a body packed by %s on as it is, and records it unpacked", async (coding, packed) => {
  const service = await startService(
    answering(
      {
        "content-type": "text/plain",
        "content-encoding": coding,
        "content-length": String(packed.length),
      },
      packed,
    ),
  );
  const proxy = await startRecording({ tables: service });
  const answer = await fetch(`${proxy.tablesUrl}/notes`);
  expect(answer.headers.get("content-encoding")).toBe(coding);
  expect(await answer.text()).toBe(long);
  const recorded = onlyRecording((await proxy.finish()).cassettes).answer;
  expect(recorded.headers).toEqual({ "content-type": "text/plain" });
  expect(textOf(recorded)).toBe(long);
});

test("records the events of a packed stream each with its time", async () => {
  const timers = new HandTimers();
  let sendNext: (() => void) | undefined;
  const service = await startService(async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    const gzip = createGzip();
    gzip.pipe(response);
    for (const letter of ["a", "b"]) {
      gzip.write(`data: ${letter}\n\n`);
      gzip.flush();
      await new Promise<void>((resolve) => (sendNext = resolve));
    }
    gzip.end();
  });
  const proxy = await startRecording({ chat: service }, { timers });
  const answer = await chat(proxy.chatUrl, hello);
  for await (const _ of answer.body ?? []) {
    timers.advance(40);
    sendNext?.();
  }
  const { stream } = onlyRecording((await proxy.finish()).cassettes).answer;
  expect(stream).toEqual([
    { atMs: 0, text: "data: a\n\n" },
    { atMs: 40, text: "data: b\n\n" },
  ]);
});

test("does not record a body that is not what its encoding says, and passes it on", async () => {
  const service = await startService(answering({ "content-encoding": "zstd" }, "????"));
  const proxy = await startRecording({ tables: service });
  const answer = await askRaw(`${proxy.tablesUrl}/notes`);
  expect(answer.body).toBe("????");
  expect((await proxy.finish()).cassettes).toEqual([]);
  expect(proxy.notRecorded).toEqual([
    {
      interface: "tables",
      method: "GET",
      path: "/notes",
      reason: 'its body has the content-encoding "zstd", which cannot be unpacked',
    },
  ]);
});

test("asks for no packing that it could not unpack", async () => {
  let accepted: string | undefined;
  const service = await startService((incoming, response) => {
    accepted = incoming.headers["accept-encoding"];
    response.end();
  });
  const { tablesUrl } = await startRecording({ tables: service });
  await askRaw(`${tablesUrl}/notes`, { headers: { "accept-encoding": "zstd, gzip;q=0.5, br" } });
  expect(accepted).toBe("gzip;q=0.5, br");
});

test("passes on a body that is too large to be recorded, and tells so", async () => {
  const megabyte = Buffer.alloc(1_000_000, "x");
  const service = await startService(async (_, response) => {
    for (let count = 0; count < 65; count++) {
      if (!response.write(megabyte)) await once(response, "drain");
    }
    response.end();
  });
  const proxy = await startRecording({ tables: service });
  const answer = await fetch(`${proxy.tablesUrl}/users`);
  let size = 0;
  for await (const part of answer.body ?? []) size += part.length;
  expect(size).toBe(65_000_000);
  expect((await proxy.finish()).cassettes).toEqual([]);
  expect(proxy.notRecorded[0]?.reason).toBe("its body is larger than the 64 MB that are recorded");
});
