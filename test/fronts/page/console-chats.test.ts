import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";

/** Without a model the form is not sent. */
async function modelIsThere(page: Page): Promise<void> {
  await expect.poll(() => page.getByLabel("Model").inputValue()).not.toBe("");
}

async function send(page: Page, text: string): Promise<void> {
  await modelIsThere(page);
  await page.getByLabel("Content of message 1").fill(text);
  await page.keyboard.press("Control+Enter");
}

test("goes on with a conversation by keyboard, and says which script answered and why not another", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("chats");
  await page.getByLabel("stream").uncheck();
  await send(page, "Hello");
  const next = page.getByLabel("Content of message 3");
  await next.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("And now slow?");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("link", { name: "slow", exact: true }).first().waitFor();
  const why = page.getByRole("region", { name: "Scripts that did not match" });
  expect(await why.count()).toBe(0);
  await page.getByText("How and why").first().press("Enter");
  await expectShown(why.getByText('a text containing "slow"').first());
  const [, second] = emulator.journal.list({ method: "POST" });
  expect(second?.body).toMatchObject({
    messages: [{ role: "user" }, { role: "assistant", content: "Echo: Hello" }, { role: "user" }],
  });
});

test("under openai a conversation can be sent to Responses, and goes on there", async () => {
  await using opened = await openConsole({ options: { profiles: { chat: "openai" } } });
  const { page, emulator } = opened;
  await opened.show("chats");
  await page.getByLabel("API").selectOption("Responses");
  await send(page, "Hello");
  const next = page.getByLabel("Content of message 3");
  await next.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Again");
  await page.keyboard.press("Control+Enter");
  await page.getByLabel("Content of message 5").waitFor();
  const [first, second] = emulator.journal.list({ method: "POST" });
  expect(first).toMatchObject({ path: "/v1/responses", ended: "complete" });
  expect(second?.body).toMatchObject({
    input: [{ role: "user" }, { role: "assistant", content: "Echo: Hello" }, { role: "user" }],
  });
});
