import { join } from "node:path";
import { expect, test } from "vitest";
import { startRecordedTest, type TestRecording } from "../../../src/fronts/node/recorded-test.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { answering, startService } from "./recording-proxy.ts";

/** Asks for a completion on some day, in a test of its own with this cassette. */
async function askOn(day: string, folder: string, recording: TestRecording): Promise<string> {
  const running = { file: join(folder, "a.test.ts"), tape: "a.json", hasPassed: () => true };
  const { emulator, finish } = await startRecordedTest(recording, {}, running);
  const messages = [
    { role: "system", content: `Today is ${day}.` },
    { role: "user", content: "Hi" },
  ];
  const body = JSON.stringify({ model: "m", messages });
  const url = "http://localhost/v1/chat/completions";
  const text = await (await emulator.fetch(url, { method: "POST", body })).text();
  await finish();
  return text;
}

test("a test replays its cassette on another day, if the day is volatile", async () => {
  const { path } = await temporaryFolder({});
  const answer = answering({ "content-type": "application/json" }, '{"choices":[]}');
  const upstream = `${await startService(answer)}/v1`;
  const recording = { upstream, unusedRecordings: "ignore" } as const;
  const volatile = [{ path: "body.messages.0.content", regex: "\\d{4}-\\d\\d-\\d\\d" }];
  expect(await askOn("2026-11-23", path, { ...recording, mode: "once" })).toBe('{"choices":[]}');
  const replayed = { ...recording, mode: "none" } as const;
  expect(await askOn("2027-01-01", path, { ...replayed, volatile })).toBe('{"choices":[]}');
  expect(await askOn("2027-01-01", path, replayed)).toContain("not recorded");
});

test("a wrong pattern of a test is refused by its place", async () => {
  const { path } = await temporaryFolder({});
  const recording = { upstream: "http://127.0.0.1:1/v1", volatile: ["body.user", { regex: "(" }] };
  await expect(askOn("", path, recording)).rejects.toThrow(
    'Cannot compare requests by recording.volatile[1].regex: "(" is not a regular expression',
  );
});
