import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";

/** Without a model the form is not sent. */
async function modelIsThere(page: Page): Promise<void> {
  await expect.poll(() => page.getByLabel("Model").inputValue(), { timeout: 10_000 }).not.toBe("");
}

async function send(page: Page, text: string): Promise<void> {
  await modelIsThere(page);
  await page.getByLabel("Content of message 1").fill(text);
  await page.keyboard.press("Control+Enter");
}

test("draws a stream on a time axis, with its gap", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("chats");
  await send(page, "slow");
  await page.getByText("complete", { exact: true }).waitFor();
  await page.getByText("One, two.").waitFor();
  const axis = await page.getByRole("img", { name: /^Time axis/ }).getAttribute("aria-label");
  expect(axis).toMatch(/frames in .+, first token after .+, longest gap \d+ ms, done/);
  expect(await page.locator(".axis .gap").count()).toBe(1);
  expect(await page.locator(".axis .tick.accent").count()).toBe(2);
});

test("shows an answer that was cut short, and its bytes", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("chats");
  await send(page, "broken");
  await page.getByText("The stream ended without [DONE].").waitFor();
  await page.getByRole("tab", { name: "Answer" }).press("ArrowRight");
  await page.getByRole("tab", { name: "Raw frames (2)", selected: true }).waitFor();
  await expectShown(page.getByRole("region", { name: "Raw frames" }).getByText('"content":"One"'));
});

test("stops a stream, which the server learns", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("chats");
  await send(page, "endless");
  await page.getByText("Never", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await page.getByText("stopped", { exact: true }).waitFor();
  const aborted = (): boolean | undefined => emulator.journal.list({ method: "POST" })[0]?.aborted;
  await expect.poll(aborted).toBe(true);
});

test("continues a conversation", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("chats");
  await page.getByLabel("stream").uncheck();
  await send(page, "Hello");
  await page.getByRole("button", { name: "Continue the conversation" }).press("Enter");
  await page.getByLabel("Content of message 3").fill("And now?");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Echo: And now?").waitFor();
  const [, second] = emulator.journal.list({ method: "POST" });
  expect(second?.body).toMatchObject({
    messages: [{ role: "user" }, { role: "assistant", content: "Echo: Hello" }, { role: "user" }],
  });
});

test("says what is wrong with a request", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("chats");
  await modelIsThere(page);
  await page.getByText("Tools and further fields").press("Enter");
  await page.getByLabel("Tools (JSON array)").fill("{}");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Tools: this is not an array.").waitFor();
  await page.getByLabel("Tools (JSON array)").fill("");
  await page.getByLabel("Model").fill("atlas-larg");
  await page.keyboard.press("Control+Enter");
  await expectShown(page.getByRole("alert").getByText("404"));
  await expectShown(page.getByText("refused", { exact: true }));
  await expectShown(page.getByText("The answer is only an error."));
});
