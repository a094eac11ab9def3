import { expect, test } from "vitest";
import {
  type RecordedRequest,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { requestDifferences } from "../../../../src/extras/recordings/replay/request-differences.ts";
import { requestKey } from "../../../../src/extras/recordings/replay/request-key.ts";
import { createEmulator } from "../../../../src/index.ts";

const date = { regex: "\\d{4}-\\d\\d-\\d\\d" };
const content = { ...date, path: "body.messages.*.content" };

/** A request on some day, with other words. */
function on(day: string, more: Partial<RecordedRequest> = {}): RecordedRequest {
  const text = `Today is ${day}.`;
  const messages = [
    { role: "system", content: text },
    { role: "user", content: [{ text }] },
  ];
  return { method: "POST", path: "/chat/completions", body: { json: { messages } }, ...more };
}

/** Whether replay takes two requests for the same, by their keys and by their differences. */
function areSame(
  one: RecordedRequest,
  other: RecordedRequest,
  volatile: RecordingRules["volatile"],
): boolean {
  const rules = compileRules({ ...usualRecordingRules, headers: ["x-day"], volatile });
  const isSame = requestKey(one, rules) === requestKey(other, rules);
  expect(requestDifferences(one, other, rules).next().done).toBe(isSame);
  return isSame;
}

const [monday, tuesday] = ["2026-11-23", "2026-11-24"];

function form(day: string, boundary: string): Partial<RecordedRequest> {
  const head = 'Content-Disposition: form-data; name="day"';
  return { body: { text: `--${boundary}\r\n${head}\r\n\r\nOn ${day}\r\n--${boundary}--\r\n` } };
}

test.each<[string, (day: string) => Partial<RecordedRequest>, string]>([
  ["texts of a body", () => ({}), "body"],
  ["a body that is no JSON", (day) => ({ body: { text: `on ${day}` } }), "body"],
  ["a part of an upload", (day) => form(day, day), "body.day"],
  ["a parameter", (day) => ({ query: `day=on%20${day}`, body: { text: "" } }), "query.day"],
  ["a header", (day) => ({ headers: { "x-day": day }, body: { text: "" } }), "header.x-day"],
])("ignores what a regular expression matches in %s", (_, more, path) => {
  const [one, other] = [on(monday, more(monday)), on(tuesday, more(tuesday))];
  expect(areSame(one, other, [])).toBe(false);
  expect(areSame(one, other, [date])).toBe(true);
  expect(areSame(one, other, [{ ...date, path }])).toBe(true);
  expect(areSame(one, other, [{ ...date, path: "body.user" }, "query.other"])).toBe(false);
});

test("ignores it in the path", () => {
  const [one, other] = [monday, tuesday].map((day) => on("", { path: `/files/${day}.txt` }));
  expect(areSame(one ?? on(""), other ?? on(""), [date])).toBe(true);
});

test("a place has the texts below it, and no others", () => {
  expect(areSame(on(monday), on(tuesday), [content])).toBe(true);
  expect(areSame(on(monday), on(tuesday), [{ ...date, path: "body.messages.0" }])).toBe(false);
});

test.each([
  ["the rest of the text", on(monday), on("2026-11-24, I say")],
  ["what does not match", on(monday), on("tomorrow")],
  ["a match and nothing", on(monday), on("")],
])("still tells requests apart by %s", (_, one, other) => {
  expect(areSame(one, other, [content])).toBe(false);
});

test("ignores several matches, beside redacted values", () => {
  const [folder, recorded] = [{ regex: "/home/\\w+", flags: "i" }, "[email 1] at /home/ada on"];
  const redact = [{ regex: "\\w+@\\w+\\.com", as: "email" }];
  const rules = compileRules({ ...usualRecordingRules, redact, volatile: [folder, content] });
  const sent = on(`bob@example.com at /HOME/bob on ${tuesday}, not ${monday}`);
  const differences = requestDifferences(on(`${recorded} ${monday}, not ${monday}`), sent, rules);
  expect([...differences]).toEqual([]);
});

test("finds what is volatile anywhere in a long text", () => {
  const [one, other] = [monday, tuesday].map((day) => on(`${day}, a while later `.repeat(5_000)));
  expect(areSame(one ?? on(""), other ?? on(""), [date])).toBe(true);
});

test.each([
  [{ regex: "(" }, 'recording.volatile[1].regex: "(" is not a regular expression'],
  [{ regex: "a*" }, 'recording.volatile[1].regex: "a*" matches the empty text'],
  [{ regex: "a", flags: "x" }, 'recording.volatile[1].flags: there is no flag "x"'],
  [{ regex: "a", path: "boddy" }, 'it begins with "boddy", which is not a part of a request.'],
])("refuses the wrong rule %o", (rule, problem) => {
  const rules = { ...usualRecordingRules, volatile: ["body.user", rule] };
  expect(() => compileRules(rules)).toThrow(problem);
});

/** A cassette of one request on each of these days, each with its own rules. */
function cassetteOf(
  ...days: readonly (readonly [day: string, volatile: readonly unknown[]])[]
): object {
  const recordings = days.map(([day, volatile]) => ({
    request: { ...on(day), ...(volatile.length === 0 ? {} : { volatile }) },
    answer: { status: 200, headers: {}, afterMs: 0, body: { text: `of ${day}` } },
  }));
  return { name: "days", interface: "chat", upstream: "https://api.example.com", recordings };
}

test("a recorded request can have volatile parts of its own", async () => {
  const cassettes = [cassetteOf([monday, []], [tuesday, [content]])];
  const { fetch } = await createEmulator({ fixtures: { cassettes }, auth: false, strict: true });
  const ask = async (day: string): Promise<string> => {
    const body = JSON.stringify((on(day).body as { json: unknown }).json);
    const url = "http://localhost/v1/chat/completions";
    return (await fetch(url, { method: "POST", body })).text();
  };
  // Both recordings fit the first day, in their order. Only the second one fits other days.
  expect(await ask(monday)).toBe("of 2026-11-23");
  expect(await ask("2027-01-01")).toBe("of 2026-11-24");
  expect(await ask(monday)).toBe("of 2026-11-24");
  expect(await ask("tomorrow")).toContain("not recorded");
});

test("fixtures with a wrong rule are refused with its place", async () => {
  const wrong = { regex: "[", path: "body" };
  const fixtures = {
    cassettes: [cassetteOf([monday, [wrong]])],
    recording: { volatile: [wrong, 1] },
  };
  await expect(createEmulator({ fixtures })).rejects.toThrow(
    /cassettes\[0\]\.recordings\[0\]\.request\.volatile\[0\][^]*"\[" is not a regular expression[^]*recording\.volatile\[0\][^]*recording\.volatile\[1\]/,
  );
});
