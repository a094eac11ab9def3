import fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordedAnswer, Recording } from "../../../../src/core/recordings/cassette.ts";
import { tries } from "../../../support/tries.ts";
import {
  ask,
  chatCassette,
  chatRequest,
  chunk,
  completion,
  done,
  exchange,
  jsonAnswer,
  saidIn,
  serving,
  streamAnswer,
  cameTo,
} from "./as-scripts-support.ts";

const word = fc.constantFrom(
  "hi",
  "rain",
  "{{ user }}",
  "{% if x %}",
  "{{{",
  "{{'",
  "}}",
  "é\n",
  "",
);
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(" "));

const call = fc.record({
  id: fc.constantFrom("call_1", "call_2"),
  name: fc.constantFrom("get_weather", "search"),
  arguments: fc.oneof(
    text,
    fc.record({ city: text }).map((value) => JSON.stringify(value)),
  ),
});

interface Message {
  readonly content: string | null;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
  }[];
  readonly reasoning: string | undefined;
}

const message: fc.Arbitrary<Message> = fc.record({
  content: fc.option(text),
  calls: fc.array(call, { maxLength: 2 }),
  reasoning: fc.constantFrom(undefined, "Let me see {{ x }}"),
});

function asJson({ content, calls, reasoning }: Message): RecordedAnswer {
  const toolCalls = calls.map(({ id, ...called }) => ({ id, type: "function", function: called }));
  return jsonAnswer(
    completion({
      content,
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
      ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    }),
  );
}

function asStream({ content, calls, reasoning }: Message): RecordedAnswer {
  return streamAnswer([
    chunk({ role: "assistant", content: content === null ? null : "" }),
    ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
    ...(content ?? "").split("").map((letter) => chunk({ content: letter })),
    ...calls.flatMap(({ id, name, arguments: given }, index) => [
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: given } }] }),
    ]),
    chunk({}, "stop"),
    done,
  ]);
}

const round = fc.constantFrom("a", "b").map((content) => [
  { role: "assistant", content: null, tool_calls: [weatherCall] },
  { role: "tool", tool_call_id: "call_1", content },
]);

const weatherCall = {
  id: "call_1",
  type: "function",
  function: { name: "get_weather", arguments: "{}" },
};

/** Few values, so that many requests differ in one thing only, or not at all. */
const request = fc.record({
  model: fc.constantFrom("atlas", "borealis"),
  messages: fc
    .tuple(fc.constantFrom("a", "b"), fc.array(round, { maxLength: 1 }))
    .map(([content, rounds]) => [{ role: "user", content }, ...rounds.flat()]),
});

const recording: fc.Arbitrary<Recording> = fc
  .tuple(request, message, fc.boolean())
  .map(([body, said, stream]) =>
    exchange(
      chatRequest(stream ? { ...body, stream } : body),
      stream ? asStream(said) : asJson(said),
    ),
  );

const cassettes = fc
  .array(fc.array(recording, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map((lists) => lists.map((recordings, index) => chatCassette(`chat-${9 - index}`, recordings)));

test("scripts answer each request as it was recorded, told by words, turn, tool result and model", async () => {
  await fc.assert(
    fc.asyncProperty(cassettes, async (recorded) => {
      const emulator = await serving(cameTo(recorded));
      for (const { request: asked, answer } of recorded.flatMap(({ recordings }) => recordings)) {
        const response = await ask(emulator, asked);
        const expected = answer.stream?.map((part) => ("text" in part ? part.text : "")).join("");
        const whole =
          answer.body !== undefined && "json" in answer.body
            ? JSON.stringify(answer.body.json)
            : "";
        expect(response.status).toBe(200);
        expect(saidIn(await response.text())).toEqual(saidIn(expected ?? whole));
      }
    }),
    { numRuns: tries(150) },
  );
});
