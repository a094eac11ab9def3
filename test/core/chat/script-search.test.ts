import { expect, test } from "vitest";
import { groupNamesOf } from "../../../src/core/chat/matching/expressions.ts";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
import { type AnswerDetails, labelOf, outcomeOf } from "../../../src/core/http/answerer.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { chatBody, chatContext, post, script } from "./support.ts";

const scripts: readonly Script[] = [
  script("once", { content: "once" }, { user: "Hi" }),
  script("bye", { content: "" }, { user: "Bye" }),
  { name: "two", when: { user: "Hi" }, replies: [{ content: "a" }, { content: "b" }] },
  script("later", { content: "" }, { turn: 5 }),
];
const [first = script("", { content: "" }), ...others] = scripts;
const limited: readonly Script[] = [{ ...first, times: 1 }, ...others];

function scene(body: unknown) {
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  return { headers: {}, body: bytes, tables: undefined };
}

function detailsOf({ answeredBy }: Reply, body: unknown): AnswerDetails | undefined {
  return typeof answeredBy === "object" ? answeredBy.details(scene(body)) : undefined;
}

test("tells which script answered, with which of its replies, and which were tried before", async () => {
  const context = chatContext({ scripts: limited });
  await post(context);
  await post(context);
  const third = await post(context);
  const details = detailsOf(third, chatBody());
  expect(outcomeOf(third.answeredBy)).toEqual({ script: "two", reply: 1 });
  expect(details?.misses?.map((miss) => [miss.script, miss.usedUp !== undefined])).toEqual([
    ["once", true],
    ["bye", false],
  ]);
  expect(labelOf(third.answeredBy, scene(chatBody()))).toBe('script "two" reply 2');
});

test("tells of no reply where a script has one, and of no misses where none were tried", async () => {
  const reply = await post(chatContext({ scripts }));
  expect(outcomeOf(reply.answeredBy)).toEqual({ script: "once" });
  expect(detailsOf(reply, chatBody())).toMatchObject({ misses: [] });
});

test("tells of an echo which scripts came closest", async () => {
  const body = chatBody({}, "Hello");
  const reply = await post(chatContext({ scripts }), body);
  expect(outcomeOf(reply.answeredBy)).toEqual({});
  expect(detailsOf(reply, body)?.misses?.map((miss) => miss.script)).toHaveLength(4);
  expect(labelOf(reply.answeredBy, scene(body))).toBe("echo");
  const near = chatBody({}, "hi there, good BYE");
  const label = labelOf((await post(chatContext({ scripts }), near)).answeredBy, scene(near));
  expect(label).toBe('echo (closest: "once", "bye", "two")');
});

test.each([[undefined], [[]], ["text"]])(
  "tells nothing of misses where the request is gone: %j",
  async (body) => {
    const reply = await post(chatContext({ scripts }), chatBody({}, "Hello"));
    expect(detailsOf(reply, body)).toEqual({ misses: [] });
    expect(labelOf(reply.answeredBy, scene(body))).toBe("echo");
  },
);

test("says in the log that no script matched where that is an error", async () => {
  const strict = await post(chatContext({ scripts, unmatched: "error" }), chatBody({}, "hi"));
  const empty = await post(chatContext({ unmatched: "error" }));
  const labels = [strict, empty].map(({ answeredBy }) =>
    labelOf(answeredBy, scene(chatBody({}, "hi"))),
  );
  expect(labels).toEqual(['no script (closest: "once", "two")', "no script"]);
});

test("knows the names of the groups in all expressions of a script", () => {
  const when = {
    user: { regex: "(?<a>x)|(?<b>y)" },
    toolResult: { content: { anyOf: [{ regex: "(?<c>z)" }, "plain"] } },
    system: { equals: "x" },
    anyMessage: { regex: "(?<d>x)" },
  };
  expect(groupNamesOf(when)).toEqual(["a", "b", "c", "d"]);
  expect(groupNamesOf({})).toEqual([]);
  expect(groupNamesOf({ toolResult: {} })).toEqual([]);
});
