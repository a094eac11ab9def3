import OpenAI, { toFile } from "openai";
import { expect, test } from "vitest";
import { cassetteText } from "../../../src/core/recordings/cassette.ts";
import { createEmulator } from "../../../src/index.ts";
import { startRecording, startService } from "./recording-proxy.ts";

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) % 256);

/** What a user's program uploads: texts, bytes, and two files of one name. */
async function upload(client: OpenAI): Promise<unknown[]> {
  const lines = await toFile(Buffer.from('{"custom_id":"é"}\n'), "requests.jsonl");
  const sound = await toFile(bytes, "hello.wav", { type: "audio/wav" });
  const pictures = [await toFile(bytes, "a.png"), await toFile(Buffer.from("b"), "b.png")];
  return [
    await client.files.create({ file: lines, purpose: "batch" }),
    await client.audio.transcriptions.create({ file: sound, model: "whisper-1" }),
    await client.images.edit({ image: pictures, prompt: "Add a hat.", model: "gpt-image-1" }),
  ];
}

test("uploads of OpenAI's SDK are recorded once and replayed in a second run", async () => {
  const boundaries = new Set<string>();
  const service = await startService((incoming, response) => {
    boundaries.add(incoming.headers["content-type"] ?? "");
    incoming.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ path: incoming.url, text: `Answer ${boundaries.size}` }));
    });
  });
  const proxy = await startRecording({ chat: `${service}/v1` });
  const real = new OpenAI({ apiKey: "sk-real", baseURL: proxy.chatUrl, maxRetries: 0 });
  const given = await upload(real);
  expect(boundaries.size).toBe(3);
  const { cassettes } = await proxy.finish();

  const read = cassettes.map((cassette): unknown => ({
    ...(JSON.parse(cassetteText(cassette)) as object),
    name: cassette.name,
  }));
  const { fetch } = await createEmulator({ fixtures: { cassettes: read }, strict: true });
  const baseURL = "http://localhost/v1";
  const offline = new OpenAI({ apiKey: "sk-any", baseURL, fetch, maxRetries: 0 });
  expect(await upload(offline)).toEqual(given);

  const other = await toFile(Buffer.from("other"), "requests.jsonl");
  await expect(offline.files.create({ file: other, purpose: "batch" })).rejects.toThrow(
    /closest is recording 1 of the cassette "chat-files", but:\n {2}body.file.content\n {4}recorded: "\{\\"custom_id\\":\\"é\\"\}\\n"\n {4}sent: {5}"other"/,
  );
});
