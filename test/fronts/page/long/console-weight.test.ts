import { expect, test } from "vitest";
import { openConsole } from "../../../support/browser/console-page.ts";

const frames = 40_000;

/** A stream that sends many frames at once, and stays open. */
const long = {
  AUTHORIZATION_TOKEN: "local-token",
  models: [{ id: "atlas-large" }],
  chats: [
    {
      name: "long",
      reply: {
        chunks: Array.from({ length: frames }, (_, at) => `word ${at} `),
        fault: { kind: "stall", afterChunks: frames },
      },
    },
  ],
};

/** How long the page takes for something, in milliseconds. */
async function timeOf(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

test("shows a stream of 40,000 frames in Chats, and draws no more of it than can be seen apart", async () => {
  await using opened = await openConsole({ options: { fixtures: long } });
  const { page } = opened;
  await opened.show("chats");
  await expect.poll(() => page.getByLabel("Model").inputValue()).not.toBe("");
  await page.getByLabel("Content of message 1").fill("go on");
  const shown = await timeOf(async () => {
    await page.keyboard.press("Control+Enter");
    await page.getByRole("img", { name: `Time axis: ${frames} frames` }).waitFor();
  });
  const again = await timeOf(async () => {
    await page.locator("summary", { hasText: "How and why" }).click();
    await page.locator("summary", { hasText: "How and why" }).click();
    await page.getByRole("tab", { name: "Response" }).click();
    await page.getByText(/^\d+ frames sent/).waitFor();
  });
  const elements = await page.locator("*").count();
  process.stdout.write(
    `${frames} frames: shown ${shown.toFixed(0)} ms after the question, opened again in ${again.toFixed(0)} ms, ${elements} elements\n`,
  );
  expect(elements).toBeLessThan(3000);
});
