import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  RecordedAnswer,
  RecordedBody,
  Recording,
} from "../../../../src/core/recordings/cassette.ts";
import { recordText } from "../../../../src/core/recordings/recorded-body.ts";
import { readFixtureFiles } from "../../../../src/core/fixture-set/read-fixtures.ts";
import { tries } from "../../../support/tries.ts";
import {
  chatCassette,
  chunk,
  completion,
  done,
  says,
  tableCassette,
  cameTo,
} from "./as-scripts-support.ts";

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    "",
    "text",
    "{% raw %}",
    0,
    -1,
    1.5,
    2 ** 60,
    1e19 + 4096,
    null,
    true,
    [],
    {},
    [{}],
  ),
);

function loose(
  keys: readonly string[],
  deeper: fc.Arbitrary<unknown> = value,
): fc.Arbitrary<object> {
  return fc.dictionary(fc.constantFrom(...keys, "__proto__", ""), fc.oneof(value, deeper), {
    maxKeys: 4,
  });
}

const call = loose(["index", "id", "type", "function"], loose(["name", "arguments"]));
const said = loose(
  ["role", "content", "reasoning_content", "refusal", "tool_calls", "function_call"],
  fc.array(call, { maxLength: 2 }),
);
const choice = loose(["index", "message", "delta", "logprobs", "finish_reason"], said);
const body = loose(
  ["id", "model", "choices", "usage", "error", "result"],
  fc.oneof(
    fc.array(choice, { maxLength: 2 }),
    loose(["prompt_tokens", "total_tokens", "prompt_tokens_details", "message", "code"]),
  ),
);

const row = loose(["id", "name", "age"]);
const rows = fc.array(row, { maxLength: 3 }).map((result) => JSON.stringify({ result }));

const text = fc.oneof(
  rows,
  body.map((json) => JSON.stringify(json)),
  fc.constantFrom('{"choices"', "", "no JSON", "\uFEFF{}", '{"result":[{"id":9007199254740993}]}'),
  fc.constant(JSON.stringify(completion({ content: "Hi" }))),
);

const event = fc.oneof(
  text.map((data) => `data: ${data}\n\n`),
  fc.constantFrom(
    done,
    ": ping\n\n",
    "data: half",
    "\r\n\r\n",
    `data: ${JSON.stringify(chunk({ content: "Hi" }, "stop"))}\r\n\r\n`,
  ),
);

const answer: fc.Arbitrary<RecordedAnswer> = fc
  .record({
    status: fc.constantFrom(0, 200, 201, 204, 302, 400, 429, 500, 599, 700),
    headers: fc.dictionary(
      fc.constantFrom("content-type", "retry-after", "x-should-retry", "retry-after-ms"),
      fc.constantFrom("text/event-stream", "1", "99999999999999999999", "Mon", "\u0000"),
    ),
    afterMs: fc.nat(100),
    text,
    events: fc.array(event, { maxLength: 4 }),
    how: fc.constantFrom("close" as const, "reset" as const, "hang" as const, undefined),
  })
  .map(({ text: whole, events, how, ...head }) => {
    if (how === undefined) return { ...head, body: recordText(whole) };
    const stream = events.map((part, index) => ({ atMs: head.afterMs + index, text: part }));
    return { ...head, stream, end: { atMs: head.afterMs + events.length, how } };
  });

const request: fc.Arbitrary<RecordedBody> = fc.oneof(
  loose([
    "temperature",
    "seed",
    "n",
    "tools",
    "response_format",
    "metadata",
    "stream",
    "max_tokens",
    "stop",
  ]).map((more) => ({ json: says("Hi", more) })),
  text.map((sent) => recordText(sent)),
  fc.constant({ base64: "AAAA" }),
);

const paths = fc.constantFrom(
  "/chat/completions",
  "/models",
  "/users",
  "/users/1",
  "/%zz",
  "/",
  "",
);

const recording: fc.Arbitrary<Recording> = fc
  .record({ method: fc.constantFrom("POST", "GET", "DELETE"), path: paths, body: request, answer })
  .map(({ answer: given, ...asked }) => ({ request: asked, answer: given }));

test("whatever was recorded, what it comes to are files that can be served", async () => {
  const recorded = fc.array(recording, { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(recorded, recorded, async (chats, tables) => {
      const fixtures = cameTo([chatCassette("chat-a", chats), tableCassette("tables-a", tables)]);
      const texts = [
        ...fixtures.chats.map(({ file, scripts }) => ({ name: `chats/${file}`, json: scripts })),
        ...fixtures.tables.map(({ document }, index) => ({
          name: `tables/${index}.json`,
          json: document,
        })),
      ].map(({ name, json }) => ({ path: name, name, text: JSON.stringify(json, undefined, 2) }));
      const served = await readFixtureFiles(texts, { otherTables: [] });
      expect(served.tables).toHaveLength(fixtures.tables.length);
    }),
    { numRuns: tries(200) },
  );
});
