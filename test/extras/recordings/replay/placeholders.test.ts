import { expect, test } from "vitest";
import {
  type RecordedRequest,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { requestDifferences } from "../../../../src/extras/recordings/replay/request-differences.ts";

const rules = compileRules({
  ...usualRecordingRules,
  headers: ["authorization"],
  redact: [
    { regex: "[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+", as: "email" },
    { regex: "\\b\\d{4}\\b", as: "card" },
    { path: "body.user", as: "name" },
  ],
});

type Part = Partial<RecordedRequest>;

function placesOfDifferences(recorded: Part, sent: Part): readonly string[] {
  const whole = { method: "POST", path: "/x" };
  const found = requestDifferences({ ...whole, ...recorded }, { ...whole, ...sent }, rules);
  return [...found].map(({ at }) => at);
}

function body(json: unknown): Part {
  return { body: { json } };
}

test.each<[string, Part, Part]>([
  ["a value of a rule", body("to [email 1]."), body("to a@b.test.")],
  ["the placeholder itself", body("to [email 1]"), body("to [email 1]")],
  ["several values", body("[card 1] [card 2] [card 1]"), body("1111 2222 1111")],
  [
    "a value in several places",
    { path: "/u/[email 1]", ...body(["[email 1]"]) },
    { path: "/u/a%40b.test", ...body(["a@b.test"]) },
  ],
  [
    "a value that its rule finds elsewhere",
    body(["[email 1]", "%5Bemail 1]", "see [email 1]"]),
    body(["a@b.test", "%5Bemail 1]", "see a%40b.test"]),
  ],
  ["a value in base64", body(["[email 1]", "x[email 1]="]), body(["a@b.test", "xYUBiLnRlc3Q="])],
  ["a number", body({ n: "[card 1]" }), body({ n: 4111 })],
  [
    "a number of too many digits",
    body({ user: "[name 1]" }),
    { body: { text: `{"user":${"9".repeat(20)}}` } },
  ],
  ["an object", body({ user: "[name 1]" }), body({ user: { first: "Ada" } })],
  ["a member's name", body({ "[email 1]": 1, a: 2 }), body({ a: 2, "a@b.test": 1 })],
  ["a parameter's name", { query: "[email 1]=1&a=2" }, { query: "a=2&a%40b.test=1" }],
  ["a parameter of a secret name", { query: "token=[token 1]&a=2" }, { query: "a=2&token=x%20y" }],
  [
    "a header of a key",
    { headers: { authorization: "Bearer [authorization 1]" } },
    { headers: { authorization: "Bearer k" } },
  ],
  ["a key in two encodings", body(["[token 1]", "x[token 1]"]), body(["a/b", "xYS9i"])],
  [
    "bytes",
    { body: { base64: btoa("\xFF[token 1]\xFE") } },
    { body: { base64: btoa("\xFFk\xFE") } },
  ],
])("a placeholder stands for %s", (_, recorded, sent) => {
  expect(placesOfDifferences(recorded, sent)).toEqual([]);
});

test.each<[string, Part, Part, readonly string[]]>([
  ["what no rule finds", body("to [email 1]."), body("to the customer."), ["body"]],
  ["more than a rule finds", body("[card 1] [card 2]"), body("1111 2222 3333"), ["body"]],
  ["two values", body(["[email 1]", "[email 1]"]), body(["a@b.test", "c@b.test"]), ["body.1"]],
  [
    "the value of another",
    body(["[email 1]", "[email 2]"]),
    body(["a@b.test", "a@b.test"]),
    ["body.1"],
  ],
  ["nothing", body({ user: "[name 1]" }), body({ user: "" }), ["body.user"]],
  ["null", body({ user: "[name 1]" }), body({ user: null }), ["body.user"]],
  ["other words around", body("[email 1] please"), body("a@b.test now"), ["body"]],
  ["a name that no rule has", body("[note 1]"), body("a"), ["body"]],
  ["several segments", { path: "/u/[token 1]" }, { path: "/u/a/b" }, ["path"]],
])("a placeholder does not stand for %s", (_, recorded, sent, places) => {
  expect(placesOfDifferences(recorded, sent)).toEqual(places);
});

test("a text of many placeholders is compared in no time", () => {
  const recorded = Array.from({ length: 2_000 }, (_, index) => `[name ${index + 1}] `).join("");
  const sent = Array.from({ length: 2_000 }, (_, index) => `n${index} `).join("");
  expect(placesOfDifferences(body(recorded), body(sent))).toEqual([]);
  expect(placesOfDifferences(body(recorded), body(`${sent}and`))).toEqual(["body"]);
});
