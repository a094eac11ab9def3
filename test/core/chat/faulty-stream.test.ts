import { expect, test } from "vitest";
import type { Fault, ScriptChunk, ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import { bodyOf, chatBody, post, replying, streamOf, textsOf } from "./support.ts";

/** What is said of each event: its kind, or the text that it brings. */
function nameOf(text: string): string {
  if (!text.startsWith("data: ")) return "aside";
  if (text === "data: [DONE]\n\n") return "done";
  if (!text.endsWith("}\n\n")) return `broken ${nameOf(text.replace(/\n\n$/, "}\n\n"))}`;
  const event: unknown = JSON.parse(text.slice("data: ".length));
  if (typeof event !== "object" || event === null) return "?";
  if ("error" in event) return `error ${JSON.stringify(event.error)}`;
  const words = /"content":"([^"]+)"/.exec(text)?.[1];
  if (words !== undefined) return words;
  return text.includes('"role"') ? "role" : "finish";
}

async function streamed(reply: ScriptReply, random = 0.5) {
  const context = { ...replying({ pace: { by: "word" }, ...reply }), random: () => random };
  const stream = streamOf(await post(context, chatBody({ stream: true })));
  return { events: textsOf(stream).map(nameOf).join("|"), end: stream.end };
}

const whole = "role|Hi| you|finish|done";

test.each<[Fault, string, string]>([
  [{ kind: "cut" }, "", "close"],
  [{ kind: "cut", afterChunks: 1 }, "role", "close"],
  [{ kind: "cut", afterChunks: 3 }, "role|Hi| you", "close"],
  [{ kind: "cut", afterChunks: 4 }, "role|Hi| you|finish", "close"],
  [{ kind: "cut", afterChunks: 99 }, "role|Hi| you|finish", "close"],
  [{ kind: "stall", afterChunks: 2 }, "role|Hi", "hang"],
  [{ kind: "stall" }, "", "hang"],
  [{ kind: "reset", afterChunks: 2 }, "role|Hi", "reset"],
  [{ kind: "malformed" }, "broken role|Hi| you|finish|done", "close"],
  [{ kind: "malformed", afterChunks: 2 }, "role|Hi|broken  you|finish|done", "close"],
  [{ kind: "duplicate", afterChunks: 1 }, "role|Hi|Hi| you|finish|done", "close"],
  [{ kind: "duplicate", afterChunks: 99 }, `${whole}|done`, "close"],
  [{ kind: "noFinish" }, "role|Hi| you|done", "close"],
  [{ kind: "noDone" }, "role|Hi| you|finish", "close"],
])("streams %j as %j", async (fault, events, how) => {
  const stream = await streamed({ content: "Hi you", fault });
  expect(stream).toMatchObject({ events, end: { how } });
});

test.each<[Fault["error"], object]>([
  [
    undefined,
    {
      message: "The server had an error while processing your request. Please retry.",
      type: "server_error",
      param: null,
      code: null,
    },
  ],
  [
    { message: "Odd", type: "odd", param: "n", code: "x" },
    { message: "Odd", type: "odd", param: "n", code: "x" },
  ],
])(
  "sends an error in the place of a chunk, after which the stream ends: %j",
  async (error, sent) => {
    const fault: Fault = { kind: "error", afterChunks: 2, ...(error !== undefined && { error }) };
    const { events, end } = await streamed({ content: "Hi you", fault });
    expect(events).toBe(`role|Hi|error ${JSON.stringify(sent)}`);
    expect(end.how).toBe("close");
  },
);

test("counts events with data alone, and breaks none that has none", async () => {
  const chunks: ScriptChunk[] = [{ comment: "a" }, "Hi", { comment: "b" }, " you"];
  const cut = await streamed({ chunks, fault: { kind: "cut", afterChunks: 2 } });
  const broken = await streamed({ chunks, fault: { kind: "malformed", afterChunks: 2 } });
  expect(cut.events).toBe("aside|role|Hi");
  expect(broken.events).toBe("aside|role|Hi|aside|broken  you|finish|done");
});

test("ends at the time of the event whose place a fault takes", async () => {
  const pace = { by: "word", firstTokenMs: 10, gapMs: 5 } as const;
  const times: number[] = [];
  for (const afterChunks of [1, 2, 99]) {
    const { end } = await streamed({
      content: "Hi you",
      pace,
      fault: { kind: "cut", afterChunks },
    });
    times.push(end.at);
  }
  expect(times).toEqual([10, 15, 15]);
  const { end } = await streamed({ content: "Hi you", pace, fault: { kind: "noDone" } });
  expect(end).toEqual({ how: "close", at: 15 });
});

test.each<[readonly ScriptChunk[], string, string]>([
  [["Hi", { fault: "cut" }, " you"], "role|Hi", "close"],
  [["Hi", { fault: { kind: "stall" } }, " you"], "role|Hi", "hang"],
  [["Hi", { fault: "duplicate" }, " you"], "role|Hi| you| you|finish|done", "close"],
  [
    ["Hi", { fault: "malformed" }, { comment: "x" }, " you"],
    "role|Hi|aside|broken  you|finish|done",
    "close",
  ],
  [["Hi", { fault: "noFinish" }], "role|Hi|done", "close"],
  [["Hi", { fault: "stall" }, " you", { fault: "cut" }], "role|Hi", "hang"],
])("lets a stream go wrong at a place among the chunks %j", async (chunks, events, how) => {
  expect(await streamed({ chunks })).toMatchObject({ events, end: { how } });
});

test("lets the first of the reply's fault and those among chunks end a stream", async () => {
  const chunks: ScriptChunk[] = ["Hi", { fault: "stall" }, " you"];
  const later = await streamed({ chunks, fault: { kind: "reset", afterChunks: 3 } });
  const earlier = await streamed({ chunks, fault: { kind: "reset", afterChunks: 1 } });
  expect([later.end.how, earlier.end.how]).toEqual(["hang", "reset"]);
  expect([later.events, earlier.events]).toEqual(["role|Hi", "role"]);
});

test.each([
  [0.5, whole, "role|Hi|finish|done"],
  [0.49, "", ""],
])(
  "lets faults of a probability of 0.5 happen where less is drawn: %d",
  async (drawn, ...expected) => {
    const fault = { kind: "cut", probability: 0.5 } as const;
    const ofReply = await streamed({ content: "Hi you", fault }, drawn);
    const ofChunks = await streamed({ chunks: [{ fault }, "Hi"] }, drawn);
    expect([ofReply.events, ofChunks.events]).toEqual(expected);
  },
);

test("draws once for choices that say the same", async () => {
  const drawn = [0.4, 0.9];
  const chunks: ScriptChunk[] = ["Hi", { fault: { kind: "cut", probability: 0.5 } }, " you"];
  const context = { ...replying({ chunks }), random: () => drawn.shift() ?? 1 };
  const stream = streamOf(await post(context, chatBody({ stream: true, n: 2 })));
  expect(textsOf(stream).map(nameOf)).toEqual(["role", "role", "Hi", "Hi"]);
  expect(drawn).toEqual([0.9]);
});

test.each<[ScriptReply, how: string]>([
  [{ content: "Hi", fault: { kind: "hang" } }, "hang"],
  [{ content: "Hi", fault: { kind: "reset" } }, "reset"],
  [{ chunks: [{ fault: "reset" }, "Hi"] }, "reset"],
])("gives no answer at all to %j, streamed or not", async (reply, how) => {
  for (const stream of [true, false]) {
    const answer = await post(replying(reply), chatBody({ stream }));
    expect(answer).toMatchObject({ status: 0, headers: {}, body: { kind: "no-answer", how } });
    expect(answer.answeredBy).toBeDefined();
  }
});

test("breaks the connection of a stream that says nothing when its first event is due", async () => {
  const reply: ScriptReply = {
    content: "Hi",
    fault: { kind: "reset" },
    pace: { firstTokenMs: 30 },
  };
  expect(await post(replying(reply), chatBody({ stream: true }))).toMatchObject({ delayMs: 30 });
});

/** What a JSON reply comes to: its text, whole or in part, and how it ends. */
async function answered(reply: ScriptReply): Promise<readonly [text: string, how: string]> {
  const { body } = await post(replying({ id: "it", ...reply }));
  if (body.kind !== "stream") return [body.kind === "text" ? body.text : "", "whole"];
  return [textsOf(body.stream).join(""), body.stream.end.how];
}

test.each<[readonly ScriptChunk[], boolean, string]>([
  [["Hi", { fault: "cut" }], true, "close"],
  [[{ fault: "cut" }, "Hi"], false, "close"],
  [[{ comment: "x" }, { fault: "stall" }, "Hi"], false, "hang"],
  [[{ toolCall: { name: "f" } }, { fault: "reset" }], true, "reset"],
  [["Hi", { fault: "duplicate" }, { fault: "cut" }], true, "close"],
])(
  "sends half of a JSON reply where something was said before the fault: %j",
  async (chunks, isPart, how) => {
    const [full] = await answered({
      chunks: chunks.filter((one) => typeof one === "string" || !("fault" in one)),
    });
    const [text, ending] = await answered({ chunks });
    expect(ending).toBe(how);
    expect(text).toBe(isPart ? full.slice(0, full.length >> 1) : "");
  },
);

test("leaves the reasons for its end out of a JSON reply", async () => {
  const reply: ScriptReply = { content: "Hi", fault: { kind: "noFinish" } };
  const { choices, ...rest } = bodyOf(await post(replying(reply), chatBody({ n: 2 })));
  expect(choices.map((choice: { finish_reason: unknown }) => choice.finish_reason)).toEqual([
    null,
    null,
  ]);
  expect(choices).toMatchObject([{ index: 0, message: { content: "Hi" } }, { index: 1 }]);
  expect(rest).toMatchObject({ object: "chat.completion" });
});

test("leaves the last character out of a JSON reply that is malformed", async () => {
  const [full] = await answered({ content: "Hi" });
  expect(await answered({ content: "Hi", fault: { kind: "malformed" } })).toEqual([
    full.slice(0, -1),
    "whole",
  ]);
});

test.each<[ScriptReply]>([
  [{ content: "Hi", fault: { kind: "duplicate" } }],
  [{ content: "Hi", fault: { kind: "noDone" } }],
  [{ chunks: ["Hi", { fault: { kind: "cut", probability: 0 } }] }],
])(
  "sends a JSON reply as it is where the fault makes sense in streams alone: %j",
  async (reply) => {
    expect(await answered(reply)).toEqual(await answered({ content: "Hi" }));
  },
);
