import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels, fixedClock } from "../support/contract-chats.ts";
import { readToEnd, readUntil } from "../support/read-stream.ts";
import { send } from "../support/requests.ts";
import type { Transport } from "../support/transports.ts";

const settings = { seed: 7, clock: fixedClock, speed: 0 } as const;

interface Scene {
  readonly reply: object;
  /** What the request has besides its message. */
  readonly asks?: object;
  /** What its end is known by where it does not end. */
  readonly until?: string;
}

const words = { content: "It rains — 12 °C 🌧️", pace: { by: "word" } };
const tools = [
  { type: "function", function: { name: "get_weather" } },
  { type: "function", function: { name: "get_time" } },
];
const toolCalls = [
  { name: "get_weather", arguments: { city: "Ålesund", days: 2 } },
  { id: "call_mine", name: "get_time", arguments: "{}" },
];
const usage = { stream_options: { include_usage: true } };

/** What streams can bring. Each is a file in `transcripts`, as it is on the wire. */
const scenes: Readonly<Record<string, Scene>> = {
  text: { reply: words },
  usage: { reply: words, asks: usage },
  "tool call": { reply: { toolCalls: toolCalls.slice(0, 1) }, asks: { tools } },
  "parallel tool calls": { reply: { content: "One moment.", toolCalls }, asks: { tools } },
  reasoning: { reply: { ...words, reasoning: "It is wet there." } },
  refusal: { reply: { refusal: "I cannot tell." } },
  logprobs: { reply: { content: "It rains" }, asks: { logprobs: true, top_logprobs: 2 } },
  "logprobs of a refusal": { reply: { refusal: "No" }, asks: { logprobs: true } },
  "two choices": { reply: { ...words, toolCalls }, asks: { n: 2, tools, ...usage } },
  "choices of their own": {
    reply: { choices: [{ content: "Yes" }, { chunks: ["N", { comment: "ping" }, "o"] }] },
    asks: { n: 3 },
  },
  chunks: {
    reply: {
      chunks: [
        { comment: "ping" },
        { reasoning: "Hm." },
        "It ",
        { raw: "event: odd\r\ndata: x\n\n" },
        { wait: 5 },
        "rains",
        { toolCall: { name: "get_weather", arguments: {} } },
      ],
    },
  },
  "a length that was cut": { reply: words, asks: { max_tokens: 2 } },
  "fault stall": { reply: { ...words, fault: faultOf("stall") }, until: '"It"}' },
  ...Object.fromEntries(
    ["cut", "reset", "malformed", "duplicate", "error", "noFinish", "noDone"].map((kind) => [
      `fault ${kind}`,
      { reply: { ...words, fault: faultOf(kind) } },
    ]),
  ),
};

function faultOf(kind: string): object {
  return kind === "noFinish" || kind === "noDone" ? { kind } : { kind, afterChunks: 2 };
}

/** All the bytes of a stream as text. One that stalls is left once its last word has come. */
async function transcribe(transport: Transport, { reply, asks, until }: Scene): Promise<string> {
  const fixtures = { models: contractModels, chats: [{ name: "it", reply }] };
  await using service = await transport.open(fixtures, settings);
  const leaving = new AbortController();
  const json = asking("How is the weather?", { stream: true, ...asks });
  const response = await send(service, completions, { json, signal: leaving.signal });
  if (until === undefined) return (await readToEnd(response)).text;
  const reader = response.body?.getReader();
  const text = reader === undefined ? "" : await readUntil(reader, until);
  leaving.abort();
  return text;
}

for (const [name, scene] of Object.entries(scenes)) {
  contract(`gives the same bytes with the same seed and clock: ${name}`, async (transport) => {
    const first = await transcribe(transport, scene);
    const file = `../core/chat/transcripts/${name.replaceAll(" ", "-")}.txt`;
    await expect(first).toMatchFileSnapshot(file);
    expect(await transcribe(transport, scene)).toBe(first);
  });
}
