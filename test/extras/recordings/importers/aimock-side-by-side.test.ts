import { LLMock } from "@copilotkit/aimock";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importAimock } from "../../../../src/extras/recordings/importers/aimock.ts";
import { createEmulator } from "../../../../src/index.ts";

type Message = Readonly<Record<string, unknown>>;

/** What is asked, and what of the answer must be the same. */
interface Answer {
  readonly status: number;
  readonly content: unknown;
  readonly calls: readonly { readonly id: string; readonly function: object }[];
  readonly reasoning: unknown;
  /** What the fixture says of the whole answer. Without it each program makes up its own. */
  readonly said: readonly unknown[];
}

type Ask = (body: object) => Promise<Answer>;

/** A fingerprint and a time of a fixture. */
const said = ["fp_1", 1_714_521_600];

async function answerOf(response: Response): Promise<Answer> {
  const { status } = response;
  const { choices: [{ message = {} } = {}] = [], error, ...rest } = await response.json();
  return {
    status,
    content: message.content ?? error?.message,
    calls: message.tool_calls ?? [],
    reasoning: message.reasoning_content,
    said: said.filter((value) => [rest.system_fingerprint, rest.created].includes(value)),
  };
}

function askWith(fetchIt: typeof fetch, base: string): Ask {
  const headers = { "content-type": "application/json", authorization: "Bearer any" };
  return async (body) =>
    answerOf(
      await fetchIt(`${base}/v1/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      }),
    );
}

/** Asks aimock, and Backlot with the imported fixtures. */
async function inBoth<Result>(
  fixtures: readonly object[],
  use: (ask: Ask) => Promise<Result>,
): Promise<{ readonly aimock: Result; readonly backlot: Result }> {
  const folder = mkdtempSync(join(tmpdir(), "aimock-"));
  const file = join(folder, "mocks.json");
  writeFileSync(file, JSON.stringify({ fixtures }));
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  mock.loadFixtureFile(file);
  await mock.start();
  try {
    const { files } = importAimock({ fixtures }, "mocks");
    const chats = JSON.parse(files[0]?.text ?? "[]");
    const emulator = await createEmulator({ fixtures: { chats, chat: { unmatched: "error" } } });
    return {
      aimock: await use(askWith(fetch, mock.url)),
      backlot: await use(askWith(emulator.fetch, "http://localhost")),
    };
  } finally {
    await mock.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The most requests of one agent. */
const mostSteps = 8;

/** An agent that answers each call until there is none, for one question after the other. */
async function runAgent(ask: Ask, ...questions: readonly string[]): Promise<readonly Answer[]> {
  const messages: Message[] = [];
  const answers: Answer[] = [];
  for (const question of questions) {
    messages.push({ role: "user", content: question });
    for (let step = 0; step < mostSteps; step++) {
      const answer = await ask({ model: "atlas-large-2024-05", messages });
      answers.push(answer);
      const { status, content = null, calls } = answer;
      if (status !== 200) break;
      const withCalls = calls.length === 0 ? {} : { tool_calls: calls };
      messages.push({ role: "assistant", content, ...withCalls });
      if (calls.length === 0) break;
      for (const { id } of calls) {
        messages.push({ role: "tool", tool_call_id: id, content: `result of ${id}` });
      }
    }
  }
  return answers;
}

const call = (number: number) => ({
  toolCalls: [{ id: `call_${number}`, name: "next_page", arguments: { page: number } }],
});
const done = { content: "All five pages are read." };
const steps = [1, 2, 3, 4, 5];

/** The loop of five steps in each of the ways in which aimock tells the steps apart. */
const loops: Readonly<Record<string, readonly object[]>> = {
  turnIndex: [
    ...steps.map((number) => ({
      match: { userMessage: "pages", turnIndex: number - 1 },
      response: call(number),
    })),
    { match: { userMessage: "pages", turnIndex: 5 }, response: done },
  ],
  sequenceIndex: [
    ...steps.map((number) => ({
      match: { userMessage: "pages", sequenceIndex: number - 1 },
      response: call(number),
    })),
    { match: { userMessage: "pages" }, response: done },
  ],
  toolCallId: [
    ...steps.slice(1).map((number) => ({
      match: { toolCallId: `call_${number - 1}` },
      response: call(number),
    })),
    { match: { toolCallId: "call_5" }, response: done },
    { match: { userMessage: "pages" }, response: call(1) },
  ],
  toolResultContains: [
    { match: { toolResultContains: "call_5" }, response: done },
    ...steps.slice(1).map((number) => ({
      match: { toolResultContains: `call_${number - 1}` },
      response: call(number),
    })),
    { match: { userMessage: "pages", hasToolResult: false }, response: call(1) },
  ],
};

test.each(Object.keys(loops))(
  "a loop of five steps, told apart by %s, ends as in aimock",
  async (way) => {
    const { aimock, backlot } = await inBoth(loops[way] ?? [], (ask) =>
      runAgent(ask, "Read the pages"),
    );
    expect(backlot).toEqual(aimock);
    expect(backlot).toHaveLength(6);
    expect(backlot.at(-1)?.content).toBe(done.content);
  },
);

test("a loop that never ends in aimock does not end here either", async () => {
  const fixtures = [
    { match: { userMessage: "pages" }, response: call(1) },
    { match: { toolCallId: "call_1" }, response: done },
  ];
  const { aimock, backlot } = await inBoth(fixtures, (ask) => runAgent(ask, "Read the pages"));
  expect(backlot).toEqual(aimock);
  expect(backlot).toHaveLength(mostSteps);
});

test("calls and answers of a second question are those of aimock", async () => {
  const fixtures = [
    { match: { userMessage: "moon", hasToolResult: false }, response: call(1) },
    { match: { userMessage: "moon", hasToolResult: true }, response: { content: "Far." } },
    { match: { userMessage: "sun", hasToolResult: false }, response: call(2) },
    { match: { userMessage: "sun", hasToolResult: true }, response: { content: "Hot." } },
  ];
  const { aimock, backlot } = await inBoth(fixtures, (ask) => runAgent(ask, "moon?", "sun?"));
  expect(backlot).toEqual(aimock);
  expect(backlot.map(({ content }) => content)).toEqual([undefined, "Far.", undefined, "Hot."]);
});

test("turns before the first and after the last are answered as in aimock", async () => {
  const fixtures = [
    { match: { userMessage: "more", turnIndex: 3 }, response: { content: "third" } },
    { match: { userMessage: "more", turnIndex: 1 }, response: { content: "first" } },
  ];
  const { aimock, backlot } = await inBoth(fixtures, (ask) =>
    runAgent(ask, "more", "more", "more", "more", "more"),
  );
  expect(backlot).toEqual(aimock);
  expect(backlot.map(({ content }) => content)).toEqual([
    "first",
    "first",
    "first",
    "third",
    "third",
  ]);
});

test("an answer's fingerprint and its time are those of the fixture", async () => {
  const [systemFingerprint, created] = said;
  const response = { content: "Hi", systemFingerprint, created };
  const { aimock, backlot } = await inBoth([{ match: {}, response }], (ask) => runAgent(ask, "Hi"));
  expect(backlot).toEqual(aimock);
  expect(backlot[0]?.said).toEqual(said);
});

test.each([
  ["a dated model", { model: "atlas-large" }, { content: "Hi" }, 200],
  ["an answer with reasoning", {}, { content: "Hi", reasoning: "Hm" }, 200],
  ["a model of another name", { model: "atlas" }, { content: "Hi" }, 404],
  ["an error", {}, { error: { message: "Slow down" }, status: 429 }, 429],
])("%s is answered as in aimock", async (_, match, response, status) => {
  const { aimock, backlot } = await inBoth([{ match, response }], (ask) => runAgent(ask, "Hello"));
  expect(backlot.map((answer) => answer.status)).toEqual([status]);
  expect(aimock.map((answer) => answer.status)).toEqual([status]);
  if (status !== 404) expect(backlot).toEqual(aimock);
});
