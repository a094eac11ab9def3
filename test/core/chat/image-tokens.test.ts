import { expect, test } from "vitest";
import { imageTokens } from "../../../src/core/chat/tokens/image-tokens.ts";
import { ask, emulatorWith } from "../../extras/responses/support.ts";
import { bodyOf, chatBody, chatContext, model, post } from "./support.ts";

/** The beginning of a file of these bytes, as a data URL. */
function dataUrl(type: string, bytes: readonly number[]): string {
  const file = [...bytes, ...Array.from({ length: 60 }, () => 0)];
  return `data:image/${type};base64,${btoa(String.fromCharCode(...file))}`;
}

function letters(text: string): readonly number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

/** A number as bytes. */
function bigEndian(value: number, length: number): readonly number[] {
  return Array.from({ length }, (_, at) => (value >> (8 * (length - 1 - at))) & 0xff);
}

function littleEndian(value: number, length: number): readonly number[] {
  return bigEndian(value, length).toReversed();
}

function png(width: number, height: number): string {
  const chunk = [
    ...bigEndian(13, 4),
    ...letters("IHDR"),
    ...bigEndian(width, 4),
    ...bigEndian(height, 4),
  ];
  return dataUrl("png", [0x89, ...letters("PNG"), 13, 10, 26, 10, ...chunk]);
}

function gif(width: number, height: number): string {
  return dataUrl("gif", [
    ...letters("GIF89a"),
    ...littleEndian(width, 2),
    ...littleEndian(height, 2),
  ]);
}

/** A JPEG with a preview before the picture. */
function jpeg(width: number, height: number): string {
  const note = [0xff, 0xe1, ...bigEndian(5_000, 2), ...Array.from({ length: 4_998 }, () => 7)];
  const table = [0xff, 0xc4, ...bigEndian(4, 2), 0, 0];
  const picture = [
    0xff,
    0xff,
    0xc2,
    ...bigEndian(17, 2),
    8,
    ...bigEndian(height, 2),
    ...bigEndian(width, 2),
  ];
  return dataUrl("jpeg", [0xff, 0xd8, ...note, ...table, ...picture]);
}

function webp(kind: string, rest: readonly number[]): string {
  return dataUrl("webp", [...letters("RIFF"), 0, 0, 0, 0, ...letters(`WEBP${kind}`), ...rest]);
}

const webpWithLoss = (width: number, height: number): string =>
  webp("VP8 ", [
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0x9d,
    1,
    0x2a,
    ...littleEndian(width, 2),
    ...littleEndian(height, 2),
  ]);
const webpWithoutLoss = (width: number, height: number): string =>
  webp("VP8L", [0, 0, 0, 0, 0x2f, ...littleEndian((width - 1) | ((height - 1) << 14), 4)]);
const webpOfParts = (width: number, height: number): string =>
  webp("VP8X", [
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    ...littleEndian(width - 1, 3),
    ...littleEndian(height - 1, 3),
  ]);

const makers = { png, gif, jpeg, webpWithLoss, webpWithoutLoss, webpOfParts };

test.each(Object.entries(makers))("reads the size of a %s from its beginning", (_, make) => {
  // Two tiles of 512 in one direction.
  expect(imageTokens({ url: make(600, 400) })).toBe(85 + 2 * 170);
  expect(imageTokens({ url: make(400, 1_600) })).toBe(85 + 4 * 170);
});

test.each([
  [1024, 1024, 765],
  [2048, 4096, 1105],
  [512, 512, 255],
  [1, 1, 255],
  [4096, 8, 85 + 4 * 170],
  [768, 768, 765],
])("an image of %i x %i has %i tokens", (width, height, tokens) => {
  expect(imageTokens({ url: png(width, height), detail: "high" })).toBe(tokens);
});

test.each([
  "https://example.com/a.png",
  "data:image/png;base64,",
  "data:image/png;base64,????",
  "data:image/png,abc",
  png(0, 5),
  dataUrl("jpeg", [0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]),
  dataUrl("bmp", letters("BM")),
  undefined,
])("takes an image whose size it cannot read for one of 1024 x 1024: %j", (url) => {
  expect(imageTokens({ url })).toBe(765);
});

test("an image of low detail has 85 tokens, whatever its size", () => {
  expect(imageTokens({ url: png(4096, 4096), detail: "low" })).toBe(85);
});

const image = { type: "image_url", image_url: { url: png(512, 512) } };
const messages = [{ role: "user", content: [{ type: "text", text: "" }, image] }];

test("images count in the usage and towards the length of the context", async () => {
  const counted = bodyOf(await post(chatContext(), chatBody({ messages })));
  expect(counted.usage.prompt_tokens).toBe(255);
  const small = chatContext({ models: [model("atlas", { contextLength: 200 })] });
  const { error } = bodyOf(await post(small, chatBody({ messages })));
  expect(error).toMatchObject({ code: "context_length_exceeded" });
});

test("images and tools count alike in Responses", async () => {
  const emulator = await emulatorWith([]);
  const usageOf = async (more: object): Promise<number> => {
    const { body } = await ask(emulator, { model: "m", ...more });
    return body.usage.input_tokens;
  };
  const part = { type: "input_image", image_url: image.image_url.url };
  const input = [{ role: "user", content: [part] }];
  const tool = { type: "function", name: "f", parameters: { type: "object", properties: {} } };
  expect(await usageOf({ input })).toBe(255);
  expect(await usageOf({ input, tools: [tool] })).toBeGreaterThan(255);
});
