import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/core/schema/json.ts";
import { type OpenConsole, openConsole } from "../../support/browser/console-page.ts";

const call = (name: string): object => ({ name, arguments: { city: "Rome" } });
const fixtures = {
  AUTHORIZATION_TOKEN: "local-token",
  models: [{ id: "atlas-large" }],
  tables: { users: { primaryKey: "id", rows: [{ id: 1 }] } },
  chats: [
    {
      name: "look",
      when: { user: "weather" },
      times: 1,
      reply: { toolCalls: [call("get_weather"), call("get_time")] },
    },
    {
      name: "busy",
      when: { user: "weather" },
      times: 1,
      reply: { error: { status: 429, message: "Too many." } },
    },
    { name: "book", when: { user: "weather" }, times: 1, reply: { toolCalls: [call("book")] } },
    { name: "report", when: { user: "weather" }, reply: { content: "It is sunny." } },
    { name: "tale", when: { user: "tale" }, reply: { content: "Once upon a time." } },
  ],
};

const user = (content: string): JsonObject => ({ role: "user", content });

/** Sends messages, and gives them with the answer and the results of what it calls. */
async function ask(
  { server }: OpenConsole,
  messages: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({ model: "atlas-large", messages }),
  });
  const { choices } = (await response.json()) as {
    readonly choices?: readonly { readonly message: JsonObject }[];
  };
  const message = choices?.[0]?.message;
  if (message === undefined) return messages;
  const calls = (message["tool_calls"] ?? []) as readonly JsonObject[];
  const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "Sunny." }));
  return [...messages, message, ...results];
}

/** A run of an agent of three steps, of which the second is tried twice, and a chat of two turns in between. */
async function converse(opened: OpenConsole): Promise<void> {
  await opened.page.getByText("live").waitFor();
  let run = await ask(opened, [user("The weather in Rome?")]);
  const tale = await ask(opened, [user("A tale, please.")]);
  run = await ask(opened, run);
  await ask(opened, [...tale, user("Another tale.")]);
  for (let left = 2; left > 0; left--) run = await ask(opened, run);
  await fetch(`${opened.server.url}/rest/users/1`, {
    headers: { authorization: "Bearer local-token" },
  });
  await opened.page.getByText("7 of 7").waitFor();
}

/** The texts of the rows below the head, by a part that all of them have. */
async function textsOf({ page }: OpenConsole, part: string): Promise<readonly string[]> {
  const cells = page.locator(`.requests [role=row]:not(.heads) ${part}`);
  const texts = await cells.allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

test("shows a run of an agent as one conversation of three steps, a retry as an attempt, and another one beside it", async () => {
  await using opened = await openConsole({ options: { fixtures } });
  const { page } = opened;
  await converse(opened);
  await expect
    .poll(() => textsOf(opened, ".request"))
    .toEqual([
      "/rest/users/1",
      "▸ The weather in Rome? 3 steps 1 retry",
      "▸ A tale, please. 2 turns",
    ]);
  const run = page.getByRole("row", { name: "The weather in Rome?" });
  expect(await run.locator(".ended").innerText()).toBe("200 complete");
  expect(await run.locator(".answer").innerText()).toBe("look, busy, book, report");
  await run.click();
  await page.getByRole("row", { name: "A tale, please." }).click();
  await expect
    .poll(() => textsOf(opened, ".request"))
    .toEqual([
      "/rest/users/1",
      "▾ The weather in Rome? 3 steps 1 retry",
      "1 → called get_weather, get_time",
      "2 attempt 1 results of get_weather, get_time",
      "2 → called book",
      "3 → answered",
      "▾ A tale, please. 2 turns",
      "1 → answered",
      "2 Another tale. → answered",
    ]);
});

test("one click leads from a conversation to a step, and links to the steps beside it, with what is new in each", async () => {
  await using opened = await openConsole({ options: { fixtures } });
  const { page } = opened;
  await converse(opened);
  await page.getByRole("row", { name: "The weather in Rome?" }).click();
  await page.getByRole("row", { name: "called book" }).click();
  const details = page.locator(".details");
  await details.getByText("Step 2 of 3 in a conversation, attempt 2").waitFor();
  await details.getByRole("tab", { name: "Messages" }).click();
  await details.getByRole("link", { name: "Step 3 →" }).click();
  await details.getByText("Step 3 of 3 in a conversation").waitFor();
  await page.getByRole("row", { name: "3 → answered", selected: true }).waitFor();
  const shown = async (): Promise<readonly string[]> => {
    const bubbles = await details.getByRole("article").allInnerTexts();
    return bubbles.map((text) => text.replaceAll(/\s+/g, " ").trim());
  };
  await expect
    .poll(shown)
    .toEqual(["tool new result of book Sunny.", "assistant answer It is sunny."]);
  await details.getByText("5 earlier messages").click();
  await details.getByText("The weather in Rome?").waitFor();
  expect(await details.getByText("new", { exact: true }).count()).toBe(1);
  await details.getByRole("link", { name: "← Step 2" }).click();
  await details.getByRole("link", { name: "← Attempt 1" }).click();
  await details.getByText("Step 2 of 3 in a conversation, attempt 1").waitFor();
  await details.getByRole("link", { name: "← Step 1" }).click();
  await expect.poll(async () => (await shown())[0]).toBe("user The weather in Rome?");
});

test("one click shows requests one by one as they arrived, and the address keeps it", async () => {
  await using opened = await openConsole({ options: { fixtures } });
  const { page } = opened;
  await converse(opened);
  await page.getByRole("checkbox", { name: "group by conversation" }).click();
  await expect.poll(async () => (await textsOf(opened, ".time")).length).toBe(7);
  const clocks = await textsOf(opened, ".time");
  expect(clocks).toEqual(clocks.toSorted().toReversed());
  await expect
    .poll(async () => (await textsOf(opened, ".request"))[3])
    .toBe("Another tale. atlas-large JSON");
  await page.reload();
  await page.getByText("7 of 7").waitFor();
  expect(await page.getByRole("row", { expanded: false }).count()).toBe(0);
});

test("a filter leaves of a conversation what it finds", async () => {
  await using opened = await openConsole({ options: { fixtures } });
  const { page } = opened;
  await converse(opened);
  await page.getByRole("combobox", { name: "Ended" }).selectOption("refused");
  await page.getByText("1 of 7").waitFor();
  await expect
    .poll(() => textsOf(opened, ".request"))
    .toEqual(["▸ The weather in Rome? 3 steps, 3 hidden 1 retry"]);
});

test("keys open and fold a conversation, and lead through its steps as through a tree", async () => {
  await using opened = await openConsole({ options: { fixtures } });
  const { page } = opened;
  await converse(opened);
  await page.getByRole("row", { name: "/rest/users/1" }).click();
  const head = page.getByRole("row", { name: "The weather in Rome?", level: 1 });
  const at = (): Promise<string | null> =>
    page
      .locator(".requests")
      .evaluate(
        (list) =>
          document
            .getElementById(list.getAttribute("aria-activedescendant") ?? "")
            ?.querySelector(".request")?.textContent ?? null,
      );
  await page.keyboard.press("ArrowDown");
  await expect.poll(at).toContain("The weather in Rome?");
  await expect.poll(() => head.getAttribute("aria-expanded")).toBe("false");
  await page.locator(".details").getByText("/rest/users/1").waitFor();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => head.getAttribute("aria-expanded")).toBe("true");
  await page.keyboard.press("ArrowRight");
  const first = page.getByRole("row", { name: "called get_weather", level: 2 });
  await expect.poll(() => first.getAttribute("aria-selected")).toBe("true");
  await page.locator(".details").getByText("Step 1 of 3 in a conversation").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator(".details").getByText("Step 2 of 3 in a conversation, attempt 1").waitFor();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(at).toContain("The weather in Rome?");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => head.getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("Enter");
  await expect.poll(() => head.getAttribute("aria-expanded")).toBe("true");
});
