import type OpenAI from "openai";
import { APIError } from "openai";
import { expect } from "vitest";
import { hello, openaiClient } from "../../support/clients/openai.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";
import type { Service, Transport } from "../../support/transports.ts";

interface Opened extends AsyncDisposable {
  readonly service: Service;
  readonly completions: OpenAI["chat"]["completions"];
}

/** A service that gives this reply to everything. */
async function replying(transport: Transport, reply: object): Promise<Opened> {
  const service = await transport.open({ models, chats: [{ name: "it", reply }] });
  const { completions } = openaiClient(service, { maxRetries: 0 }).chat;
  return { service, completions, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const streamed = { ...hello, stream: true } as const;

contract(
  "gives the openai client a call of a custom tool, whole and in pieces",
  async (transport) => {
    const toolCalls = [{ type: "custom", name: "run_code", input: "print(1)" }];
    await using opened = await replying(transport, { toolCalls, pace: { by: 3 } });
    const { choices } = await opened.completions.create(hello);
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(call?.type === "custom" ? call.custom : call).toEqual({
      name: "run_code",
      input: "print(1)",
    });
    let input = "";
    for await (const { choices: parts } of await opened.completions.create(streamed)) {
      for (const part of parts[0]?.delta.tool_calls ?? []) {
        if ("custom" in part) input += (part.custom as { input: string }).input;
      }
    }
    expect(input).toBe("print(1)");
  },
);

contract("gives the openai client's helper a function_call", async (transport) => {
  const toolCalls = [{ name: "ping", arguments: { a: 1 } }];
  await using opened = await replying(transport, { toolCalls, pace: { by: 2 } });
  const functions = [{ name: "ping", parameters: { type: "object", properties: {} } }];
  const final = await opened.completions.stream({ ...hello, functions }).finalChatCompletion();
  expect(final.choices[0]).toMatchObject({
    finish_reason: "function_call",
    message: { function_call: { name: "ping", arguments: '{"a":1}' } },
  });
});

contract("lets the openai client put interleaved calls together", async (transport) => {
  const toolCalls = [
    { name: "f", arguments: { a: 1 } },
    { name: "g", arguments: null },
  ];
  const pace = { by: 1, toolCalls: "interleaved" };
  await using opened = await replying(transport, { toolCalls, pace });
  const calls: { name: string; arguments: string }[] = [];
  for await (const { choices } of await opened.completions.create(streamed)) {
    for (const { index, function: part } of choices[0]?.delta.tool_calls ?? []) {
      const call = (calls[index] ??= { name: "", arguments: "" });
      call.name += part?.name ?? "";
      call.arguments += part?.arguments ?? "";
    }
  }
  expect(calls).toEqual([
    { name: "f", arguments: '{"a":1}' },
    { name: "g", arguments: "null" },
  ]);
});

contract("sends the head late, and comments while it waits", async (transport) => {
  const chunks = [{ comment: "ping", everyMs: 20, times: 3 }, "Yes."];
  await using opened = await replying(transport, { chunks, pace: { headersMs: 60 } });
  const asked = performance.now();
  const { data, response } = await opened.completions.create(streamed).withResponse();
  expect(response.status).toBe(200);
  expect(performance.now() - asked).toBeGreaterThanOrEqual(55);
  let text = "";
  for await (const { choices } of data) text += choices[0]?.delta.content ?? "";
  expect(text).toBe("Yes.");
  expect(performance.now() - asked).toBeGreaterThanOrEqual(110);
});

contract("sends bytes as they are, half of a character too", async (transport) => {
  const chunks = [{ raw: ": " }, { base64: "8J+R" }, { wait: 10 }, { base64: "iwoK" }, "Yes."];
  await using opened = await replying(transport, { chunks });
  let text = "";
  for await (const { choices } of await opened.completions.create(streamed)) {
    text += choices[0]?.delta.content ?? "";
  }
  expect(text).toBe("Yes.");
});

contract(
  "gives the openai client an error with more keys, and a body of any kind",
  async (transport) => {
    const innererror = { code: "Filtered" };
    const error = { status: 400, message: "No.", extra: { innererror } };
    await using failing = await replying(transport, { error });
    const failed = await failing.completions.create(hello).catch((reason: unknown) => reason);
    expect(failed).toBeInstanceOf(APIError);
    expect(failed).toMatchObject({ status: 400, error: { innererror } });
    await using odd = await replying(transport, { body: { choices: null } });
    expect(await odd.completions.create(hello)).toMatchObject({ choices: null });
  },
);
