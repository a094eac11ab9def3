import { expect, test } from "vitest";
import { addShapes, Shape } from "../../../../src/extras/recordings/verify/compare.ts";
import { compare, jsonAnswer } from "./answers.ts";

/** Service, emulator, and the places that differ with what each gave. */
const bodies: readonly (readonly [unknown, unknown, readonly (readonly string[])[]])[] = [
  [{ a: 1 }, { a: 2 }, []],
  [{ b: 1, a: 1 }, { a: 1, b: 1 }, []],
  [{ a: 1 }, { a: 1, b: null }, [["body.b", "nothing", "null"]]],
  [{ a: 1, b: [] }, { a: 1 }, [["body.b", "array", "nothing"]]],
  [{ a: "1" }, { a: 1 }, [["body.a", "string", "number"]]],
  [{ a: null }, { a: 1 }, [["body.a", "null", "number"]]],
  [{ a: {} }, { a: [] }, [["body.a", "object", "array"]]],
  [{ a: true }, { a: false }, []],
  [[{ a: 1 }], [{ a: null }], [["body.0.a", "number", "null"]]],
  // Of several elements the union counts.
  [[1, 2, 3], [4], []],
  [[1, "a"], [1], [["body.*", "number or string", "number"]]],
  [[1], [1, "a"], []],
  [[{ a: 1 }, {}], [{ a: 1 }, { a: 2 }], [["body.*.a", "number or nothing", "number"]]],
  [[{ a: 1 }, { a: 2 }], [{ a: 1 }, {}], []],
  [[{}, {}], [{ a: 1 }, {}], []],
  [[{ a: null }, { a: 1 }], [{ a: 1 }, { a: 1 }], [["body.*.a", "null or number", "number"]]],
  [[], [{ a: 1 }], []],
  [[{ a: 1 }], [], []],
  ["text", { a: 1 }, [["body", "string", "object"]]],
  // Names that every object has.
  [JSON.parse('{"__proto__": 1}'), {}, [["body.__proto__", "number", "nothing"]]],
  [{}, { constructor: 1 }, [["body.constructor", "nothing", "number"]]],
];

test.each(bodies)("compares %j with %j by shape", (service, emulator, drifts) => {
  const found = compare(jsonAnswer(service), jsonAnswer(emulator)).drifts;
  expect(found.map((drift) => [drift.place, drift.service, drift.emulator])).toEqual(drifts);
});

test("takes a key for optional, and a type for possible, that recordings show so", () => {
  const known = new Map<string, Shape>();
  for (const value of [{ a: 1 }, { a: null, b: "x" }]) {
    addShapes({ kind: "json", value }, () => false, known);
  }
  const { drifts } = compare(jsonAnswer({ a: null, b: "y" }), jsonAnswer({ a: 1 }), { known });
  expect(drifts).toEqual([]);
  const other = compare(jsonAnswer({ a: "1", c: 1 }), jsonAnswer({ a: 1, b: "x" }), { known });
  expect(other.drifts.map(({ place }) => place)).toEqual(["body.a", "body.c"]);
});

test("compares the values that are declared stable, and no others", () => {
  const service = jsonAnswer({ id: "1", model: "new", choices: [{ why: "stop" }, { why: "end" }] });
  const emulator = jsonAnswer({
    id: "2",
    model: "old",
    choices: [{ why: "stop" }, { why: "stop" }],
  });
  const stable = ["body.model", "body.choices.*.why", "body.none"];
  expect(compare(service, emulator, { stable }).drifts).toEqual([
    { place: "body.model", service: '"new"', emulator: '"old"' },
    { place: "body.choices.1.why", service: '"end"', emulator: '"stop"' },
  ]);
});

test("tells a stable value once that is missing", () => {
  const { drifts } = compare(jsonAnswer({}), jsonAnswer({ model: "a" }), {
    stable: ["body.model"],
  });
  expect(drifts).toEqual([{ place: "body.model", service: "nothing", emulator: "string" }]);
});

test("leaves out and tells what is volatile, and what was taken out of the recording", () => {
  const service = jsonAnswer({ id: 1, user: 7, rows: [{ at: "x", email: null }] });
  const emulator = jsonAnswer({ id: "a", user: "[user 1]", rows: [{ at: 1, email: "[email 1]" }] });
  const compared = compare(service, emulator, {
    volatile: ["body.id", "body.rows.*.at"],
    isRedacted: (text) => text.startsWith("["),
    stable: ["body.user", "body.id"],
  });
  expect(compared).toEqual({
    drifts: [],
    leftOut: [
      "body.id (volatile)",
      "body.user (redacted)",
      "body.rows.0.at (volatile)",
      "body.rows.0.email (redacted)",
    ],
  });
});

test.each([
  [{ "retry-after": "1" }, {}, "header.retry-after", "a value", "nothing"],
  [{ "retry-after": "1" }, { "retry-after": "30" }],
  [{ location: "/a" }, { location: "https://x.example/b" }],
  [{}, { location: "/a" }, "header.location", "nothing", "a value"],
  [{ allow: "post, GET" }, { allow: "GET,POST" }],
  [{ allow: "GET" }, { allow: "GET, POST" }, "header.allow", "GET", "GET, POST"],
  [{ "www-authenticate": 'Bearer realm="a"' }, { "www-authenticate": "bearer" }],
  [
    { "www-authenticate": "Basic" },
    { "www-authenticate": "Bearer" },
    "header.www-authenticate",
    "basic",
    "bearer",
  ],
  [{ "x-ratelimit-limit-requests": "1" }, { "x-ratelimit-limit-requests": "2" }],
  [
    { "x-ratelimit-a": "1" },
    { "x-ratelimit-b": "1" },
    "header.x-ratelimit-*",
    "x-ratelimit-a",
    "x-ratelimit-b",
  ],
  [{ "content-type": "application/json; charset=utf-8" }, { "content-type": "Application/JSON" }],
  [
    { "content-type": "text/html" },
    { "content-type": "text/plain" },
    "header.content-type",
    "text/html",
    "text/plain",
  ],
  [{ "x-request-id": "1", date: "now", server: "x" }, {}],
])("compares the headers %j with %j", (service, emulator, ...drift) => {
  const [given, expected] = [service, emulator].map((headers) =>
    jsonAnswer({}, { headers: new Map(Object.entries(headers)) }),
  );
  if (given === undefined || expected === undefined) throw new Error("no answers");
  const found = compare(given, expected).drifts;
  expect(found.map((one) => [one.place, one.service, one.emulator])).toEqual(
    drift.length === 0 ? [] : [drift],
  );
});

test("says no more than the status where one is a success and the other is none", () => {
  const { drifts } = compare(jsonAnswer({ error: {} }, { status: 500 }), jsonAnswer({ id: 1 }));
  expect(drifts).toEqual([{ place: "status", service: "500", emulator: "200" }]);
});

test("compares what is in answers whose statuses are of a kind", () => {
  const { drifts } = compare(jsonAnswer({}, { status: 201 }), jsonAnswer({ id: 1 }));
  expect(drifts.map(({ place }) => place)).toEqual(["status", "body.id"]);
});

test("does not overflow on what nests deeper than anybody reads", () => {
  const deep: unknown = JSON.parse("[".repeat(5_000) + "]".repeat(5_000));
  expect(compare(jsonAnswer(deep), jsonAnswer(deep)).drifts).toEqual([]);
});
