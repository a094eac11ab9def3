import { expect, test } from "vitest";
import { headerLines } from "../../../../src/core/http/reply.ts";
import type { RecordedAnswer } from "../../../../src/core/recordings/cassette.ts";
import { recordedReply } from "../../../../src/extras/recordings/replay/recorded-reply.ts";
import { answered, streamed } from "../../../support/cassettes.ts";

const pace = { speed: 1, isHead: false };

test.each<[string, RecordedAnswer, object]>([
  ["no body", { status: 200, headers: {}, afterMs: 0 }, { kind: "none" }],
  ["the status 204", answered({ status: 204 }), { kind: "none" }],
  [
    "a stream without an end",
    streamed([[7, "a"]]),
    { kind: "stream", stream: { end: { how: "close", at: 7 } } },
  ],
  [
    "a head after which the connection broke",
    { ...answered({ end: { atMs: 5, how: "reset" } }), afterMs: 2 },
    { kind: "stream", stream: { frames: [], end: { how: "reset", at: 3 } } },
  ],
  ["the status 0", answered({ status: 0 }), { kind: "no-answer", how: "reset" }],
  [
    "the status 0 that hangs",
    answered({ status: 0, end: { atMs: 0, how: "hang" } }),
    { kind: "no-answer", how: "hang" },
  ],
  [
    "parts that are said to be there before the head",
    streamed([[1, "a"]], { afterMs: 5, end: { atMs: 2, how: "close" } }),
    { stream: { frames: [{ at: 0, data: "a" }], end: { at: 0 } } },
  ],
])("an answer with %s is replayed as that", (_, answer, body) => {
  expect(recordedReply(answer, pace).body).toMatchObject(body);
});

test("each cookie has its own line", () => {
  const { headers } = recordedReply(answered({ headers: { "set-cookie": "a=1\nb=2\nc=3" } }), pace);
  expect(new Headers(headerLines(headers)).getSetCookie()).toEqual(["a=1", "b=2", "c=3"]);
});

test("the length of a body that broke off stays, that of a whole one is measured anew", () => {
  const headers = { "content-length": "9" };
  const broken = streamed([[1, "a"]], { headers, end: { atMs: 2, how: "reset" } });
  expect(recordedReply(broken, pace).headers).toEqual(headers);
  expect(recordedReply(answered({ headers }), pace).headers).toEqual({});
});

test("headers of the recorded connection, and of who might read the answer, are not sent again", () => {
  const headers = {
    "content-type": "application/json",
    "access-control-allow-origin": "*",
    "keep-alive": "timeout=5",
    "proxy-authenticate": "Basic",
    trailer: "x-sum",
  };
  const replayed = recordedReply(answered({ headers }), pace).headers;
  expect(replayed).toEqual({ "content-type": "application/json" });
});

test("a head that is late, by the time that has passed since the request, delays no part", () => {
  const answer = streamed(
    [
      [12, "a"],
      [30, "b"],
    ],
    { afterMs: 10 },
  );
  expect(recordedReply(answer, { ...pace, elapsedMs: 4 })).toMatchObject({
    delayMs: 10,
    body: { stream: { frames: [{ at: 2 }, { at: 20 }] } },
  });
  expect(recordedReply(answer, { ...pace, elapsedMs: 15 })).toMatchObject({
    delayMs: 10,
    body: { stream: { frames: [{ at: 0 }, { at: 15 }] } },
  });
});

test("the time that has passed counts whole at any speed", () => {
  const answer = streamed([[30, "a"]], { afterMs: 10 });
  expect(recordedReply(answer, { ...pace, speed: 2, elapsedMs: 1 })).toMatchObject({
    delayMs: 5,
    body: { stream: { frames: [{ at: 10 }] } },
  });
});
