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
  await page.getByText(/^slow · /).waitFor();
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

/** A picture of one point, which a browser can draw. */
const dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

test("opens any request with its pictures and the service's own answers, and sends on what was typed", async () => {
  await using opened = await openConsole();
  const { page, emulator, server } = opened;
  const asked = {
    model: "atlas-large",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: dot, detail: "low" } },
          { type: "image_url", image_url: { url: "https://pictures.test/cat.png" } },
          // Longer than any address.
          { type: "file", file: { file_data: "A".repeat(3_000_000) } },
        ],
      },
      { role: "assistant", content: "A dot.", refusal: null, annotations: [] },
      { role: "developer", content: "Be brief." },
      { role: "user", content: "And now?" },
    ],
  };
  await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer local-token", "content-type": "application/json" },
    body: JSON.stringify(asked),
  });
  await page.getByRole("row").getByText("And now?").click();
  await page.getByRole("link", { name: "Open in Chats" }).click();
  const last = page.getByLabel("Content of message 4");
  await last.waitFor();
  const drawn = page.getByRole("img", { name: "Picture in message 1" });
  await expect
    .poll(() => drawn.evaluate((image) => "complete" in image && image.complete))
    .toBe(true);
  await expectShown(page.getByText("https://pictures.test/cat.png"));
  await page.getByRole("article", { name: "Message 2, assistant" }).getByText("A dot.").waitFor();
  await page.getByRole("button", { name: "Edit message 2" }).click();
  expect(await page.getByLabel("Content of message 2").inputValue()).toBe("A dot.");
  await last.fill("And then?");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Echo: And then?").waitFor();
  const [, sent] = emulator.journal.list({ method: "POST" });
  const said = { role: "user", content: "And then?" };
  expect(sent?.body).toEqual({
    ...asked,
    stream: false,
    messages: [...asked.messages.slice(0, 3), said],
  });
});

test("finds no fault in chunks that the script has twice, and one in a chunk that a fault sent again", async () => {
  const laugh = { chunks: ["Ha", " ha", " ha", " ha"] };
  const fault = { kind: "duplicate", afterChunks: 1 };
  const fixtures = {
    models: [{ id: "atlas-large" }],
    chats: [
      { name: "twice", when: { user: "twice" }, reply: { ...laugh, fault } },
      { name: "laugh", reply: laugh },
    ],
  };
  await using opened = await openConsole({ options: { fixtures } });
  const { page } = opened;
  await opened.show("chats");
  await send(page, "laugh");
  await page.getByText("Ha ha ha ha").waitFor();
  await page.getByText(/^laugh · /).waitFor();
  await page.getByText("How and why").click();
  await page.getByRole("link", { name: "laugh" }).first().waitFor();
  expect(await page.getByRole("list", { name: "Problems" }).count()).toBe(0);
  await page.getByRole("button", { name: "New conversation" }).click();
  await send(page, "twice");
  await page.getByText("How and why").click();
  await page.getByText("Frame 3 is the one before, sent again by a fault.").waitFor();
});

test.each([
  ["a refusal", "refuse", "429"],
  ["a broken stream", "break", "One"],
])("after %s keeps what was typed, and sends it again", async (_, typed, shown) => {
  const error = { status: 429, message: "Too fast." };
  const broken = { content: "One two three", fault: { kind: "cut", afterChunks: 2 } } as const;
  const fixtures = {
    models: [{ id: "atlas-large" }],
    chats: [
      { when: { user: "refuse" }, replies: [{ error }, { content: "Slower." }] },
      { when: { user: "break" }, replies: [broken, { content: "Slower." }] },
    ],
  };
  await using opened = await openConsole({ options: { fixtures } });
  const { page, emulator } = opened;
  await opened.show("chats");
  await send(page, typed);
  const answer = page.getByRole("article", { name: "Message 2, assistant" });
  await answer.getByText(shown).waitFor();
  const again = page.getByRole("button", { name: "Send again" });
  await again.waitFor();
  const field = page.getByLabel("Content of message 1");
  await field.and(page.locator(":focus")).waitFor();
  expect(await field.inputValue()).toBe(typed);
  await again.press("Enter");
  await answer.getByText("Slower.").waitFor();
  expect(await page.getByLabel("Content of message 3").inputValue()).toBe("");
  const [first, second] = emulator.journal.list({ method: "POST" });
  expect(second?.body).toEqual(first?.body);
});

test("goes on from an answer that broke off, if the user wants so", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("chats");
  await send(page, "broken");
  await page.getByRole("button", { name: "Go on with this" }).press("Enter");
  await page.getByLabel("Content of message 3").fill("And then?");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Echo: And then?").waitFor();
  const [, second] = emulator.journal.list({ method: "POST" });
  expect(second?.body).toMatchObject({
    messages: [{ role: "user" }, { role: "assistant", content: "One" }, { role: "user" }],
  });
});

test("on a phone the conversation is first, nothing covers it, and settings are behind a button", async () => {
  const context = { viewport: { width: 360, height: 640 } };
  await using opened = await openConsole({ context });
  const { page } = opened;
  await opened.show("chats");
  await expect.poll(() => page.getByLabel("Model").inputValue()).not.toBe("");
  expect(await page.getByLabel("Model").isVisible()).toBe(false);
  for (let turn = 0; turn < 4; turn++) {
    await page.getByLabel(/^Content of message/).fill(`Line ${turn}\n`.repeat(5));
    await page.keyboard.press("Control+Enter");
    await page.getByLabel(`Content of message ${2 * turn + 3}`).waitFor();
  }
  const last = page.getByRole("article").last();
  const button = page.getByRole("button", { name: "Send" });
  const boxes = await Promise.all([last, button].map(async (one) => await one.boundingBox()));
  const [above, below] = boxes;
  if (!above || !below) throw new Error("They are not drawn.");
  expect(above.y + above.height).toBeLessThan(below.y);
  expect(below.y + below.height).toBeLessThanOrEqual(640);
  await page.getByRole("button", { name: "Settings" }).click();
  await expectShown(page.getByLabel("Model"));
});

test("opens the settings where they lack a model", async () => {
  const context = { viewport: { width: 360, height: 640 } };
  await using opened = await openConsole({ context });
  const { page } = opened;
  await page.route("**/v1/models", (route) => route.fulfill({ json: { data: [] } }));
  await opened.show("chats");
  await page.getByRole("button", { name: "Send" }).click();
  await expectShown(page.getByLabel("Model"));
});
