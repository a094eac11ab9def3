import { expect, test } from "vitest";
import {
  recordAnswer,
  type ReceivedAnswer,
} from "../../../../src/extras/recordings/record/recorder.ts";

const encoder = new TextEncoder();

interface Given {
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly parts: readonly (readonly [number, string | Uint8Array])[];
  readonly how?: "close" | "reset" | "hang";
}

function seen({ type = "text/plain", headers = {}, parts, how = "close" }: Given): ReceivedAnswer {
  return {
    status: 200,
    headers: { "content-type": type, ...headers },
    afterMs: 10.4,
    body: {
      parts: parts.map(([atMs, bytes]) => ({
        atMs,
        bytes: typeof bytes === "string" ? encoder.encode(bytes) : bytes,
      })),
      end: { atMs: (parts.at(-1)?.[0] ?? 10) + 1, how },
    },
  };
}

test("keeps a body that came at once in one piece", () => {
  const answer = recordAnswer(
    seen({
      parts: [
        [11, "Hel"],
        [12.2, "lo"],
      ],
    }),
  );
  expect(answer).toEqual({
    status: 200,
    headers: { "content-type": "text/plain" },
    afterMs: 10,
    body: { text: "Hello" },
  });
});

test("keeps a body that came piece by piece as a stream, one part for each millisecond", () => {
  const parts: Given["parts"] = [
    [11, "a"],
    [11.3, "b"],
    [300, "c"],
  ];
  expect(recordAnswer(seen({ parts }))).toMatchObject({
    stream: [
      { atMs: 11, text: "ab" },
      { atMs: 300, text: "c" },
    ],
    end: { atMs: 301, how: "close" },
  });
});

test.each(["application/json", "application/problem+json; charset=utf-8"])(
  "keeps %s whole, with the time of its last byte",
  (type) => {
    const answer = recordAnswer(
      seen({
        type,
        parts: [
          [11, '{"a":'],
          [300, "1}"],
        ],
      }),
    );
    expect(answer).toMatchObject({ afterMs: 301, body: { json: { a: 1 } } });
    expect(answer).not.toHaveProperty("stream");
  },
);

test("keeps an event stream as one, also where it came at once", () => {
  const parts: Given["parts"] = [[11, "data: a\n\ndata: b\n\n"]];
  expect(recordAnswer(seen({ type: "text/event-stream; charset=utf-8", parts }))).toMatchObject({
    stream: [
      { atMs: 11, text: "data: a\n\n" },
      { atMs: 11, text: "data: b\n\n" },
    ],
    end: { atMs: 12, how: "close" },
  });
});

test("keeps bytes that are not text as they are", () => {
  const parts: Given["parts"] = [[11, new Uint8Array([0xff, 0xfe])]];
  expect(recordAnswer(seen({ parts })).body).toEqual({ base64: "//4=" });
});

test("leaves out what is of the moment, and puts headers in order", () => {
  const headers = { date: "now", age: "3", "content-length": "1", "x-b": "2", "x-a": "1" };
  const answer = recordAnswer(seen({ headers, parts: [[11, "a"]] }));
  expect(Object.keys(answer.headers)).toEqual(["content-type", "x-a", "x-b"]);
});

test("keeps the length that a body should have had which was cut off", () => {
  const headers = { "content-length": "100" };
  const answer = recordAnswer(seen({ headers, parts: [[11, "a"]], how: "reset" }));
  expect(answer).toMatchObject({ headers, stream: [{ text: "a" }], end: { how: "reset" } });
});

test("tells no answer at all from an empty one", () => {
  expect(recordAnswer({ status: 0, headers: {}, afterMs: 3 })).toEqual({
    status: 0,
    headers: {},
    afterMs: 3,
  });
  expect(recordAnswer(seen({ parts: [] }))).not.toHaveProperty("body");
});

test.each(["text/plain", "application/json", "application/octet-stream", ""])(
  "tells an event stream that is called %j by its bytes",
  (type) => {
    const parts = [
      [11, ": hi\n\ndata: 1\n\nda"],
      [12, "ta: 2\n\n"],
    ] as const;
    const { body, stream } = recordAnswer(
      seen({ type, headers: { "content-length": "9" }, parts }),
    );
    expect(body).toBeUndefined();
    expect(stream?.map((part) => ("text" in part ? part.text : ""))).toEqual([
      ": hi\n\n",
      "data: 1\n\n",
      "data: 2\n\n",
    ]);
  },
);
