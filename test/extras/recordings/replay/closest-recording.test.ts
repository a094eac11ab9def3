import { expect, test } from "vitest";
import {
  type RecordedRequest,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import {
  closestRecording,
  describeUnrecorded,
} from "../../../../src/extras/recordings/replay/closest-recording.ts";
import { RecordingBook } from "../../../../src/extras/recordings/replay/recording-book.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { requestDifferences } from "../../../../src/extras/recordings/replay/request-differences.ts";
import { askedFor, reading, saying } from "../../../support/cassettes.ts";

function bookOf(
  requests: readonly RecordedRequest[],
  rules: RecordingRules = usualRecordingRules,
): RecordingBook {
  const recordings = requests.map((request) => ({ request, answer: saying(1) }));
  const cassette = { name: "talk", interface: "chat", upstream: "", recordings } as const;
  return new RecordingBook({ cassettes: [cassette], rules }, "chat");
}

function differences(
  recorded: RecordedRequest,
  sent: RecordedRequest,
  rules: Partial<RecordingRules> = {},
): unknown[] {
  const found = requestDifferences(
    recorded,
    sent,
    compileRules({ ...usualRecordingRules, ...rules }),
  );
  return [...found].map(({ at, recorded: one, sent: other }) => [at, one, other]);
}

function body(json: unknown): RecordedRequest {
  return { method: "POST", path: "/x", body: { json } };
}

const long = "word ".repeat(40);

test.each<[string, RecordedRequest, RecordedRequest, unknown[]]>([
  ["nothing", body({ a: 1, b: [null] }), body({ b: [null], a: 1 }), []],
  ["a path", reading("/users"), reading("/user"), [["path", "/users", "/user"]]],
  [
    "a parameter",
    reading("/a", "x=1&y=1&y=2"),
    reading("/a", "y=2&y=1&z"),
    [
      ["query.x", '"x=1"', undefined],
      ["query.y", '"y=1&y=2"', '"y=2&y=1"'],
      ["query.z", undefined, '"z"'],
    ],
  ],
  ["a value", body({ t: 1 }), body({ t: "1" }), [["body.t", "1", '"1"']]],
  ["a key", body({ a: null }), body({}), [["body.a", "null", undefined]]],
  ["a key with dots", body({ "a.b*": 1 }), body({ "a.b*": 2 }), [["body.a\\.b\\*", "1", "2"]]],
  [
    "a prototype's name",
    body({}),
    body(JSON.parse('{"__proto__":1}')),
    [["body.__proto__", undefined, "1"]],
  ],
  [
    "an element in the midst",
    body(["a", "b", "c"]),
    body(["a", "x", "b", "c"]),
    [["body.1", undefined, '"x"']],
  ],
  ["an element at the end", body([1, 2]), body([1]), [["body.1", "2", undefined]]],
  [
    "a long text",
    body(`${long}Paris${long}`),
    body(`${long}Rome${long}`),
    [["body", expect.stringMatching(/^…"(?:word ){4}Paris/), expect.stringMatching(/Rome.*…$/)]],
  ],
  [
    "text and JSON",
    { ...body(1), body: { text: "a b" } },
    body({ a: 1 }),
    [["body", '"a b"', '"{\\"a\\":1}"']],
  ],
  ["a body", body(1), { method: "POST", path: "/x" }, [["body", "1", undefined]]],
])("finds that %s differs", (_, recorded, sent, expected) => {
  expect(differences(recorded, sent)).toEqual(expected);
});

test("does not look at what is volatile, nor at headers that tell nothing apart", () => {
  const recorded = { ...body({ user: "a", list: [{ id: 1, n: 1 }] }), headers: { "x-a": "1" } };
  const sent = { ...body({ list: [{ id: 2, n: 1 }] }), headers: { "x-a": "2", "x-b": "3" } };
  const volatile = ["body.user", "body.list.*.id"];
  expect(differences(recorded, sent, { volatile })).toEqual([]);
  expect(differences(recorded, sent, { volatile, headers: ["x-a", "x-b"] })).toEqual([
    ["header.x-a", '"1"', '"2"'],
    ["header.x-b", undefined, '"3"'],
  ]);
});

test.each<[string, RecordedRequest, number]>([
  ["the same path with other words", askedFor("What is the tide?"), 2],
  ["one option more", askedFor("Tell me a story.", { temperature: 1 }), 1],
  ["another path", reading("/models/x"), 3],
])("finds the recording that comes closest to %s", (_, sent, number) => {
  const book = bookOf([
    askedFor("Tell me a story."),
    askedFor("What is the time?"),
    reading("/models"),
  ]);
  expect(closestRecording(book, sent)).toMatchObject({ cassette: "talk", number });
});

/** A conversation with so many messages. */
function turn(count: number): RecordedRequest {
  return body({ messages: Array.from({ length: count }, (_, at) => `message ${at}`) });
}

test("a conversation that goes on is closest to its own last request", () => {
  const book = bookOf([turn(1), turn(3), turn(5)]);
  expect(closestRecording(book, turn(7))).toMatchObject({
    number: 3,
    differences: [{ at: "body.messages.5" }, { at: "body.messages.6" }],
  });
});

test("the message tells five differences and counts the others", () => {
  const book = bookOf([body([1, 2, 3, 4, 5, 6, 7])]);
  const sent = body([11, 12, 13, 14, 15, 16, 17]);
  const message = describeUnrecorded(sent, closestRecording(book, sent));
  expect(message).toContain(
    "body.4\n    recorded: 5\n    sent:     15\n  and 2 more differences\n",
  );
});

test("a cassette without recordings has no closest one", () => {
  const sent = askedFor("Hello");
  const closest = closestRecording(bookOf([]), sent);
  expect(closest).toBeUndefined();
  expect(describeUnrecorded(sent, closest)).toContain("There are no recordings.");
});
