import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/schema/json.ts";
import {
  chatBody,
  draftOfBody,
  firstChat,
  replacedBy,
} from "../../../src/extras/console/chats/conversation.ts";
import { partsOf, withText } from "../../../src/extras/console/chats/item-parts.ts";

const picture = {
  type: "image_url",
  image_url: { url: "data:image/png;base64,AAAA", detail: "low" },
};

/** What services give and take besides plain texts. */
const wholeBodies: readonly JsonObject[] = [
  {
    model: "m",
    stream: false,
    messages: [
      { role: "developer", content: "Be brief.", name: "boss" },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          picture,
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "file", file: { file_id: "file-1" } },
        ],
      },
      {
        role: "assistant",
        content: "A cat.",
        refusal: null,
        annotations: [],
        audio: { id: "audio_1" },
        reasoning_content: "Hm.",
      },
      { role: "assistant", content: null, refusal: "No." },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: null },
      { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "5" }] },
    ],
  },
  {
    model: "m",
    stream: true,
    instructions: "Be brief.",
    previous_response_id: "resp_1",
    metadata: { a: "b" },
    tools: [{ type: "web_search" }],
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "Hi" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
          { type: "input_image", file_id: "file-1" },
        ],
      },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
      { type: "message", role: "assistant", id: "msg_1", status: "completed", content: [] },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "f", arguments: "{}" },
      {
        type: "function_call_output",
        call_id: "call_1",
        output: [{ type: "input_text", text: "5" }],
      },
      { type: "item_reference", id: "msg_0" },
    ],
  },
  { model: "m", stream: false, input: "Hi" },
  { model: "m", stream: false, previous_response_id: "resp_1" },
];

test.each(wholeBodies)("sends %j as it was, and what was edited in its place", (body) => {
  const read = draftOfBody(body);
  expect(chatBody(read)).toEqual({ ok: true, value: body });
  const marked = read.messages.map(({ items }) => ({
    items: items.map((item) =>
      partsOf(item).reduce(
        (changed, part) => ("at" in part ? withText(changed, part.at, `${part.text}!`) : changed),
        item,
      ),
    ),
  }));
  const sent = JSON.stringify(chatBody({ ...read, messages: marked }));
  const texts = partsOfAll(read.messages).flatMap((part) => ("text" in part ? [part.text] : []));
  for (const text of texts) expect(sent).toContain(JSON.stringify(`${text}!`));
});

test.each(wholeBodies)("shows each text, picture and other value of %j", (body) => {
  const shown = JSON.stringify(partsOfAll(draftOfBody(body).messages));
  const said = body["messages"] ?? body["input"] ?? [];
  const leaves = JSON.stringify(said).match(/(?<=:)"[^"]*"/g) ?? [];
  const isOfHead =
    /^"(?:user|assistant|developer|tool|function|low|auto|text|input_text|input_image|refusal|image_url|call_1)"$/;
  for (const leaf of leaves.filter((one) => !isOfHead.test(one))) expect(shown).toContain(leaf);
});

function partsOfAll(messages: readonly { readonly items: readonly JsonObject[] }[]) {
  return messages.flatMap(({ items }) => items.flatMap(partsOf));
}

test("says when the further fields replace the conversation", () => {
  const body = { model: "m", stream: false, messages: ["no message"] };
  const read = draftOfBody(body);
  expect(replacedBy(read)).toBe("messages");
  expect(chatBody(read)).toEqual({ ok: true, value: body });
  expect(replacedBy(firstChat)).toBeUndefined();
});
