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
    await page.locator("summary", { hasText: "How and why" }).click();
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

/** A slow 3G line, as Chromium's own tools emulate it. */
const slowLine = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};

test("shows the first rows over a slow line before most of the journal has come", async () => {
  const fixtures = {
    AUTHORIZATION_TOKEN: "local-token",
    models: [{ id: "atlas-large" }],
    chats: [{ name: "answer", reply: { content: "What was said. ".repeat(30) } }],
  };
  await using opened = await openConsole({ options: { fixtures } });
  const { page, server } = opened;
  const body = JSON.stringify({
    model: "atlas-large",
    stream: true,
    messages: [{ role: "user", content: "What was asked. ".repeat(30) }],
  });
  for (let sent = 0; sent < 102; sent++) {
    const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
    await (
      await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body })
    ).text();
  }
  const whole = (await (await fetch(`${server.url}/__backlot/requests`)).text()).length;
  const line = await page.context().newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", slowLine);
  let received = 0;
  line.on("Network.dataReceived", ({ dataLength }) => (received += dataLength));
  const shown = await timeOf(async () => {
    await page.goto(`${server.url}/__backlot/`, { waitUntil: "commit" });
    await page.locator(".requests [role=row]").nth(1).waitFor();
  });
  const then = received;
  process.stdout.write(
    `${(whole / 1000).toFixed(0)} KB of requests: first rows after ${(shown / 1000).toFixed(1)} s and ${(then / 1000).toFixed(0)} KB\n`,
  );
  expect(whole).toBeGreaterThan(500_000);
  // The page, unpacked, is most of it.
  expect(then).toBeLessThan(300_000);
  await page.locator(".requests [role=row]").nth(1).click();
  await page.getByText("Reading what was answered.").waitFor();
  await line.send("Network.emulateNetworkConditions", {
    ...slowLine,
    latency: 0,
    downloadThroughput: -1,
  });
  await page.getByText("102 of 102").waitFor();
  await page.getByRole("tab", { name: "Why" }).waitFor();
});
