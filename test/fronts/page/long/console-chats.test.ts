import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../../support/browser/console-page.ts";

/** Without a model the form is not sent. */
async function modelIsThere(page: Page): Promise<void> {
  await expect.poll(() => page.getByLabel("Model").inputValue()).not.toBe("");
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
  await page.getByText("How and why").press("Enter");
  const axis = await page.getByRole("img", { name: /^Time axis/ }).getAttribute("aria-label");
  expect(axis).toMatch(/frames in .+, first token after .+, longest gap [\d.]+ ms, complete/);
  expect(await page.locator(".axis .gap").count()).toBe(1);
  expect(await page.locator(".axis .tick.accent").count()).toBe(2);
});

const office = {
  models: [{ id: "atlas-large" }],
  chats: [
    {
      name: "forecast",
      when: { toolResult: { name: "get_weather", content: "sun" } },
      reply: { content: "It is sunny." },
    },
    {
      name: "weather",
      when: {
        user: { regex: "^(?<what>weather|rain) in \\w+$" },
        tool: "get_weather",
        system: "brief",
      },
      reply: { toolCalls: [{ name: "get_weather", arguments: { city: "Lisbon" } }] },
    },
    {
      name: "twice",
      when: { user: "two" },
      reply: { choices: [{ content: "A" }, { content: "B" }] },
    },
  ],
} as const;

test("begins with what a script answers, and takes the results of tools", async () => {
  await using opened = await openConsole({ options: { fixtures: office } });
  const { page, emulator } = opened;
  await opened.show("chats");
  await modelIsThere(page);
  await page.getByRole("button", { name: "weather weather in a" }).press("Enter");
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByLabel("Content of message 4").and(page.locator(":focus")).waitFor();
  await page.getByText("calls get_weather").press("Enter");
  await page
    .getByRole("region", { name: "Arguments of get_weather" })
    .getByText("Lisbon")
    .waitFor();
  await page.getByText("result of get_weather").waitFor();
  await page.getByLabel("Content of message 4").press("s");
  await page.keyboard.type("un");
  await page.getByRole("button", { name: "Send the results" }).press("Enter");
  await page.getByText("It is sunny.").waitFor();
  await page.getByText(/^forecast · /).waitFor();
  const [, sent] = emulator.journal.list({ method: "POST" });
  expect(sent?.body).toMatchObject({
    messages: [
      { role: "system" },
      { role: "user" },
      { role: "assistant" },
      { role: "tool", content: "sun" },
    ],
  });
  await page.reload();
  await page.getByLabel("Content of message 4").waitFor();
  expect(await page.getByLabel("Content of message 4").inputValue()).toBe("sun");
});

test("shows all choices with the usage, and goes on with the one that is chosen", async () => {
  await using opened = await openConsole({ options: { fixtures: office } });
  const { page, emulator } = opened;
  await opened.show("chats");
  await page.getByLabel("stream").uncheck();
  await page.getByLabel("Tools and further fields (JSON object)").fill('{"n": 2}');
  await send(page, "two");
  await page.getByRole("region", { name: "Choice 1" }).getByRole("button").press("Enter");
  await page.getByText("How and why").first().click();
  await page.getByText("total tokens").waitFor();
  await page.getByLabel("Content of message 3").fill("more");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Echo: more").first().waitFor();
  const [, sent] = emulator.journal.list({ method: "POST" });
  expect(sent?.body).toMatchObject({
    n: 2,
    messages: [{}, { role: "assistant", content: "B" }, {}],
  });
});

test("says what is wrong with a request", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("chats");
  await modelIsThere(page);
  const further = page.getByLabel("Tools and further fields (JSON object)");
  await further.fill("[]");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Tools and further fields: this is not an object.").waitFor();
  await further.fill("");
  await page.getByLabel("Model").fill("atlas-larg");
  await page.keyboard.press("Control+Enter");
  await expectShown(page.getByRole("alert").getByText("404"));
  await expectShown(page.getByText("refused", { exact: true }));
});

test("says what came of an answer that was cut short, what is missing, and why", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("chats");
  await send(page, "broken");
  await page.getByText("How and why").press("Enter");
  await page.getByText("The stream ended too soon, without its last event.").waitFor();
  await page
    .getByText(
      "Received: 2 frames with 3 characters of text. Missing: the text “ two three”, the finish reason, [DONE].",
    )
    .waitFor();
  await page.getByText("fault cut after 2 chunks").waitFor();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"])
    await page.locator("[aria-selected=true]").press(key);
  await page.getByRole("heading", { name: "2 frames sent" }).waitFor();
  const frames = page.getByRole("region", { name: "Frames of the answer" });
  const second = frames.locator(".frame").nth(1);
  expect(await second.locator("code").innerText()).toBe('choices.0.delta.content "One"');
  await page.getByLabel("whole frames").check();
  await expectShown(second.getByText('"object":"chat.completion.chunk"'));
});

test("stops a stream, which the server learns", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("chats");
  await send(page, "endless");
  await page.getByText("Never", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await page.getByText("stopped by the client", { exact: true }).waitFor();
  const aborted = (): boolean | undefined => emulator.journal.list({ method: "POST" })[0]?.aborted;
  await expect.poll(aborted).toBe(true);
});
