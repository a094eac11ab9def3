import { expect, test } from "vitest";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
import { MatchCounts, ScriptBook } from "../../../src/core/chat/scripts/script-book.ts";
import { isEmulatorError } from "../../../src/core/errors/emulator-error.ts";
import { answererOf } from "../../support/answerer.ts";
import { bodyOf, chatBody, chatContext, post, script } from "./support.ts";

const two: Script = { name: "two", replies: [{ content: "first" }, { content: "second" }] };

/** What four requests in a row are answered with. */
async function fourAnswers(book: ScriptBook): Promise<string[]> {
  const context = { ...chatContext(), scripts: book };
  const answers: string[] = [];
  for (let count = 0; count < 4; count++) {
    answers.push(bodyOf(await post(context)).choices[0].message.content);
  }
  return answers;
}

function refusal(act: () => unknown): string {
  try {
    act();
    return "nothing was thrown";
  } catch (error) {
    return isEmulatorError(error) ? `${error.code}: ${error.message}` : String(error);
  }
}

test("the first script that matches wins", async () => {
  const book = ScriptBook.of([
    script("other", { content: "no" }, { user: "Bye" }),
    script("one", { content: "one" }),
    script("two", { content: "two" }),
  ]);
  expect(await fourAnswers(book)).toEqual(["one", "one", "one", "one"]);
});

test.each([
  [undefined, ["first", "second", "second", "second"]],
  ["repeat", ["first", "second", "second", "second"]],
  ["cycle", ["first", "second", "first", "second"]],
  ["end", ["first", "second", "Echo: Hi", "Echo: Hi"]],
] as const)("goes on after the last reply by `after`: %s", async (after, answers) => {
  const book = ScriptBook.of([after === undefined ? two : { ...two, after }]);
  expect(await fourAnswers(book)).toEqual(answers);
});

/** A conversation with so many answers to each of its questions, the last of which is the newest. */
function conversationOf(...answers: readonly number[]): object {
  const messages = answers.flatMap((count) => [
    { role: "user", content: "Hi" },
    ...Array.from({ length: count }, () => ({ role: "assistant", content: "Well." })),
  ]);
  return { messages };
}

test.each([
  ["step", undefined, [0, 1, 0, 1, 1]],
  ["step", "cycle", [0, 1, 0, 0, 1]],
  ["step", "end", [0, 1, 0, undefined, undefined]],
  ["turn", undefined, [0, 1, 1, 1, 1]],
  ["turn", "cycle", [0, 1, 0, 0, 1]],
  ["turn", "end", [0, 1, undefined, undefined, undefined]],
] as const)("takes its reply by the conversation's %s, then %s", async (count, after, replies) => {
  const context = chatContext({ scripts: [{ ...two, count, ...(after && { after }) }] });
  const conversations = [[0], [1], [2, 0], [2], [3]].map((counts) => conversationOf(...counts));
  for (let round = 0; round < 2; round++) {
    const answers: (string | undefined)[] = [];
    for (const conversation of conversations) {
      answers.push(bodyOf(await post(context, chatBody(conversation))).choices[0].message.content);
    }
    const texts = ["first", "second"];
    expect(answers).toEqual(replies.map((at) => (at === undefined ? "Echo: Hi" : texts[at])));
  }
});

test("`times` counts matches also where the conversation tells the reply", async () => {
  const book = ScriptBook.of([{ ...two, count: "step", times: 3 }]);
  expect(await fourAnswers(book)).toEqual(["first", "first", "first", "Echo: Hi"]);
});

test("says that a conversation has gone beyond the replies", async () => {
  const scripts: Script[] = [{ ...two, when: { user: "Hi" }, count: "step", after: "end" }];
  const context = chatContext({ scripts, unmatched: "error" });
  expect(bodyOf(await post(context, chatBody(conversationOf(2)))).error.message).toContain(
    'The closest is "two": step must be less than 2, since "after" is "end", but it is 2.',
  );
});

test("a script answers as often as `times` says", async () => {
  const book = ScriptBook.of([{ ...two, times: 3 }, script("tables", { content: "tables" })]);
  expect(await fourAnswers(book)).toEqual(["first", "second", "second", "tables"]);
});

test("says that a script is used up", async () => {
  const context = chatContext({ scripts: [{ ...two, times: 1 }], unmatched: "error" });
  await post(context);
  expect(bodyOf(await post(context)).error.message).toContain(
    'The closest is "two": it is used up: it has answered 1 request, as many as "times" allows.',
  );
});

test("says how many requests a script has answered that is used up", async () => {
  const context = chatContext({ scripts: [{ ...two, times: 2 }], unmatched: "error" });
  await post(context);
  await post(context);
  expect(bodyOf(await post(context)).error.message).toContain(
    "it has answered 2 requests, as many as",
  );
});

test("says that a script has given all its replies", async () => {
  const context = chatContext({ scripts: [{ ...two, after: "end" }], unmatched: "error" });
  await post(context);
  await post(context);
  expect(bodyOf(await post(context)).error.message).toContain(
    'The closest is "two": it is used up: it has given all its replies, and "after" is "end".',
  );
});

test("requests at the same time never get the same turn", async () => {
  const replies = Array.from({ length: 20 }, (_, index) => ({ content: `${index}` }));
  const [first = { content: "" }, ...rest] = replies;
  const context = chatContext({ scripts: [{ name: "s", replies: [first, ...rest] }] });
  const answers = await Promise.all(replies.map(() => post(context)));
  const texts = answers.map((reply) => bodyOf(reply).choices[0].message.content);
  expect(new Set(texts).size).toBe(20);
});

test("an added script comes before all others, and goes when it is removed", () => {
  const book = ScriptBook.of([two]);
  book.add(script("new", { content: "new" }));
  expect(book.list().map(({ name }) => name)).toEqual(["new", "two"]);
  expect(book.remove("new")).toBe(true);
  expect(book.remove("new")).toBe(false);
  expect(book.list()).toEqual([two]);
});

test("a removed script's count does not pass to a later one of its name", async () => {
  const book = ScriptBook.of([{ ...two, after: "end" }]);
  await fourAnswers(book);
  book.remove("two");
  book.add({ ...two, after: "end" });
  expect((await fourAnswers(book))[0]).toBe("first");
});

test("goes back to a snapshot, more than once", async () => {
  const book = ScriptBook.of([{ ...two, after: "cycle" }]);
  const context = { ...chatContext(), scripts: book };
  await post(context);
  const snapshot = book.snapshot();
  for (let round = 0; round < 2; round++) {
    book.add(script("new", { content: "new" }, { user: "never" }));
    expect(bodyOf(await post(context)).choices[0].message.content).toBe("second");
    book.restore(snapshot);
    expect(book.list()).toHaveLength(1);
  }
});

test("books that go back to the same snapshot count and change on their own", async () => {
  const scripts = Array.from({ length: 100 }, (_, index) =>
    script(`s${index}`, { content: "" }, { user: `number ${index}.` }),
  );
  const base = ScriptBook.of([{ ...two, when: { user: "Hi" } }, ...scripts]);
  await post({ ...chatContext(), scripts: base });
  const books = [base, ScriptBook.of([]), ScriptBook.of([])];
  const snapshot = base.snapshot();
  for (const book of books) book.restore(snapshot);
  books[1]?.remove("two");
  books[2]?.count(two);
  expect(books.map((book) => book.matchesOf(two))).toEqual([1, 0, 2]);
  expect(books.map((book) => book.list().length)).toEqual([101, 100, 101]);
});

test("refuses a name that is taken", () => {
  const book = ScriptBook.of([two]);
  expect(refusal(() => book.add(two))).toContain('ERR_SCRIPT_REFUSED: Cannot add the script "two"');
  expect(refusal(() => ScriptBook.of([two, two]))).toContain("ERR_SCRIPT_REFUSED");
});

test("a script may be called __proto__", async () => {
  const book = ScriptBook.of([{ ...two, name: "__proto__", after: "end" }]);
  expect(await fourAnswers(book)).toEqual(["first", "second", "Echo: Hi", "Echo: Hi"]);
});

test("names the script that came closest and all that keeps it from matching", async () => {
  const scripts = [
    script("far", { content: "" }, { model: "x", user: "hi" }),
    script("near", { content: "" }, { model: "atlas", user: "hi" }),
    script("other", { content: "" }, { model: "atlas", user: "bye" }),
    script("also", { content: "" }, { user: { equals: "Hi." } }),
  ];
  const reply = await post(chatContext({ scripts, unmatched: "error" }), chatBody());
  expect(reply.status).toBe(404);
  expect(reply.headers["x-should-retry"]).toBe("false");
  expect(bodyOf(reply)).toEqual({
    error: {
      message:
        'Cannot answer: no script matches the request. The closest is "near": ' +
        'user must be a text containing "hi", but it is "Hi" (it differs only in upper and lower case).\n' +
        'Then "also": user must be a text equal to "Hi.", but it is "Hi" ' +
        "(it differs only in upper and lower case and in punctuation).\n" +
        'Then "far": model must be "x", but it is "atlas"; user must be a text containing "hi", ' +
        'but it is "Hi" (it differs only in upper and lower case).',
      type: "invalid_request_error",
      param: null,
      code: "no_script_matched",
    },
  });
});

test("names no script that shares nothing with the request but model, stream or turn", async () => {
  const when = { model: "atlas", turn: 0, stream: false, user: "weather" };
  const scripts = [script("weather", { content: "" }, when)];
  const reply = await post(chatContext({ scripts, unmatched: "error" }), chatBody());
  expect(bodyOf(reply).error.message).toBe(
    "Cannot answer: no script matches the request. None comes close to it.",
  );
  expect(answererOf(reply)).toBe("no script");
});

test("says so when there are no scripts at all", async () => {
  const reply = await post(chatContext({ unmatched: "error" }));
  expect(reply.status).toBe(404);
  expect(answererOf(reply)).toBe("no script");
  expect(bodyOf(reply).error.message).toContain("There are no scripts.");
});

test("forks into one that stands where it does, and goes on by itself", async () => {
  const book = ScriptBook.of([{ ...two, after: "cycle" }]);
  book.count(two);
  const fork = book.fork();
  fork.add(script("mine", { content: "" }));
  fork.count(two);
  expect([book.matchesOf(two), fork.matchesOf(two)]).toEqual([1, 2]);
  expect([book.list().length, fork.list().length]).toEqual([1, 2]);
});

test("adds and removes any number of scripts, the newest first", () => {
  const names = Array.from({ length: 150 }, (_, at) => `s${at}`);
  const book = ScriptBook.of(names.map((name) => script(name, { content: "" })));
  for (const name of names) expect(book.remove(name)).toBe(true);
  expect([book.list(), book.remove("s5")]).toEqual([[], false]);
  for (const name of names) book.add(script(name, { content: "" }));
  expect(book.list().map(({ name }) => name)).toEqual(names.toReversed());
  expect(refusal(() => book.add(script("s5", { content: "" })))).toContain("ERR_SCRIPT_REFUSED");
  expect(book.remove("s149")).toBe(true);
  expect(book.list()[0]?.name).toBe("s148");
});

test("finds its way among scripts of which some are gone", async () => {
  const asking = { user: "Hi" };
  const others = Array.from({ length: 3 }, (_, at) =>
    script(`s${at}`, { content: "" }, { user: `w${at}x` }),
  );
  const fitting = ["gone", "first", "second"].map((name) =>
    script(name, { content: name }, asking),
  );
  const book = ScriptBook.of([...others, ...fitting]);
  book.remove("gone");
  book.remove("s0");
  expect(await fourAnswers(book)).toEqual(["first", "first", "first", "first"]);
  book.remove("first");
  expect((await fourAnswers(book))[0]).toBe("second");
  book.remove("second");
  expect((await fourAnswers(book))[0]).toBe("Echo: Hi");
});

test("begins with counts that it is given", () => {
  const counts = new MatchCounts([
    ["two", 3],
    ["one", 1],
  ]);
  const book = new ScriptBook({ scripts: [two], matches: counts });
  book.count(two);
  expect([book.matchesOf(two), counts.of("two"), counts.of("none")]).toEqual([4, 3, 0]);
  book.remove("two");
  book.add(two);
  expect(book.matchesOf(two)).toBe(0);
});
