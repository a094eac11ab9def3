import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { openConsole } from "../../support/browser/console-page.ts";

const headers = { authorization: "Bearer local-token" };

test("lists requests as they come, and tells why each was answered so", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  await fetch(`${server.url}/rest/users?city=London`, { headers });
  await fetch(`${server.url}/rest/user`, { headers });
  await page.getByText("2 of 2").waitFor();
  await page.getByRole("row", { name: "/rest/users" }).click();
  await page.getByText("How the table finds the rows").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("heading", { name: "404 refused GET /rest/user" }).waitFor();
  expect(await page.locator(".details .said").innerText()).toContain('There is no table "user"');
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Request", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("h2:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".requests:focus").waitFor();
  await page.locator(".details").waitFor({ state: "detached" });
});

test("repeats a request with a wrong key as it was, and says what was wrong with the key", async () => {
  await using opened = await openConsole();
  const { page, server, emulator } = opened;
  await page.getByText("live").waitFor();
  const wrong = { authorization: "Bearer 'local-token'" };
  await fetch(`${server.url}/rest/users/1`, { headers: wrong });
  await page.getByRole("row", { name: "/rest/users/1" }).click();
  await page.locator(".details").getByText("quotes or brackets around it").first().waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect
    .poll(() => emulator.journal.list({ path: "/rest/users/1" }).map(({ status }) => status))
    .toEqual([401, 401]);
});

test("tells what changed row 7 and not row 70, from before to after, its own edits included", async () => {
  const rows = [7, 70].map((id) => ({ id, city: "Oslo" }));
  const fixtures = {
    AUTHORIZATION_TOKEN: "local-token",
    tables: { users: { primaryKey: "id", rows } },
  };
  await using opened = await openConsole({ options: { fixtures } });
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  const json = { ...headers, "content-type": "application/json" };
  for (const id of [7, 70]) {
    const body = JSON.stringify({ city: "Lima" });
    await fetch(`${server.url}/rest/users/${id}`, { method: "PATCH", headers: json, body });
  }
  await fetch(`${server.url}/rest/users/7`, {
    method: "PATCH",
    headers: { ...json, "x-backlot-console": "1" },
    body: JSON.stringify({ city: "Rome" }),
  });
  await fetch(`${server.url}/rest/users/7`, { headers });
  await page.getByRole("row", { name: "GET /rest/users/7" }).click();
  await page.getByRole("link", { name: "Who changed it" }).click();
  await page.getByText("2 of 4").waitFor();
  await page.getByRole("row", { name: 'city: "Lima" → "Rome"' }).click();
  const changes = page.getByRole("region", { name: "What the request changed" });
  await changes.waitFor();
  expect(await changes.getByRole("row").last().innerText()).toMatch(/city\s+"Lima"\s+"Rome"/);
});

test("shows a stream as it runs, since when nothing came and after which frame, and what hangs elsewhere", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  const leaving = new AbortController();
  const chat = (path: string): Promise<unknown> =>
    fetch(server.url + path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({
        model: "atlas-large",
        stream: true,
        messages: [{ role: "user", content: "endless" }],
      }),
      signal: leaving.signal,
    })
      .then((response) => response.text())
      .catch(() => undefined);
  const here = [chat("/v1/chat/completions"), chat("/v1/chat/completions")];
  await page.getByText("2 under way", { exact: true }).waitFor();
  await page.getByRole("row", { name: "endless" }).first().click();
  const details = page.locator(".details");
  await details
    .getByText(/^2 frames and \d+ bytes sent\. Nothing for .+, since frame 2\.$/)
    .waitFor();
  await details.getByRole("tab", { name: "Response" }).click();
  const received = details.getByRole("region", { name: "What was received" });
  await received.getByText("Never", { exact: true }).waitFor();
  const elsewhere = chat("/@other/v1/chat/completions");
  await page.getByText("3 under way, 1 in other sessions").click();
  await page.getByText("3 of 3").waitFor();
  leaving.abort();
  await Promise.all([...here, elsewhere]);
  await details.getByText(/Missing: the text “ more”, the finish reason, \[DONE\]\./).waitFor();
  expect(await received.getByText("Received: 2 frames with 5 characters of text").count()).toBe(1);
});

test("gives a reload of fixtures a line of its own in the list, over which the keys step", async () => {
  await using opened = await openConsole();
  const { page, server, emulator } = opened;
  await page.getByText("live").waitFor();
  await fetch(`${server.url}/rest/users/1`, { headers });
  emulator.core.load(emulator.core.fixtures);
  await fetch(`${server.url}/rest/users/2`, { headers });
  const divider = page.getByRole("row", { name: /^↑ fixtures reloaded, \d\d:\d\d$/ });
  await divider.waitFor();
  await page.getByText("2 of 2").waitFor();
  expect(await divider.getAttribute("aria-rowindex")).toBe("3");
  await page.getByRole("row", { name: "/rest/users/2" }).click();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("row", { name: "/rest/users/1", selected: true }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("row", { name: "/rest/users/2", selected: true }).waitFor();
});

async function widthOf(what: Locator): Promise<number> {
  return (await what.boundingBox())?.width ?? 0;
}

test("keeps the widths of columns and of the details, set by keys or by dragging", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  await fetch(`${server.url}/rest/users/1`, { headers });
  await page.getByRole("row", { name: "/rest/users/1" }).click();
  const details = page.locator(".details");
  const status = page.getByRole("columnheader", { name: "Status" });
  const before = await widthOf(status);
  await page.getByRole("separator", { name: "Width of Status" }).press("ArrowRight");
  expect(await widthOf(status)).toBe(before + 16);
  const narrow = await widthOf(details);
  const handle = await page.getByRole("separator", { name: "Width of details" }).boundingBox();
  const x = (handle?.x ?? 0) + 8;
  await page.mouse.move(x, 300);
  await page.mouse.down();
  await page.mouse.move(x - 100, 300);
  await page.mouse.up();
  const wide = await widthOf(details);
  expect(wide).toBeGreaterThan(narrow + 90);
  await page.reload();
  await details.waitFor();
  expect(await widthOf(details)).toBe(wide);
  expect(await widthOf(status)).toBe(before + 16);
});

const markdown =
  'It is **sunny**: [docs](https://docs.test/), [no](javascript:alert(1)) <b onclick="x">bold</b>';

test("shows a chat's messages as a conversation, with Markdown, folded calls, and no HTML of a message", async () => {
  const fixtures = {
    models: [{ id: "atlas-large" }],
    chats: [{ name: "sun", reply: { content: markdown } }],
  };
  await using opened = await openConsole({ options: { fixtures } });
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  const called = { name: "get_weather", arguments: '{"city":"Lisbon"}' };
  const messages = [
    { role: "user", content: "How is *Lisbon*?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: called }],
    },
    { role: "tool", tool_call_id: "c1", content: '{"sky":"clear"}' },
  ];
  await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ model: "atlas-large", messages }),
  });
  await page.getByRole("row", { name: "200 complete" }).click();
  await page.getByRole("tab", { name: "Messages" }).click();
  const asked = page.getByRole("article", { name: "Message 1, user" });
  await asked.locator("em", { hasText: "Lisbon" }).waitFor();
  const result = page.getByRole("article", { name: "Message 3, tool" });
  expect(await result.getByText('sky: "clear"').isVisible()).toBe(false);
  await result.getByText("result of get_weather").click();
  await result.getByText('sky: "clear"').waitFor();
  const answer = page.getByRole("article", { name: "Answer 1, assistant" });
  expect(await answer.locator("strong").innerText()).toBe("sunny");
  expect(await answer.innerText()).toContain('<b onclick="x">bold</b>');
  expect(await answer.getByRole("link").evaluateAll((links) => links.map(String))).toEqual([
    "https://docs.test/",
  ]);
});

test("shows a body as a tree that folds, and as the text that was sent", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  await fetch(`${server.url}/rest/users/1`, {
    method: "PATCH",
    headers: { ...headers, "content-type": "application/json" },
    body: '{"name": 12345678901234567890, "tags": ["a", {"b": 1}]}',
  });
  await page.getByRole("row", { name: "/rest/users/1" }).click();
  await page.getByRole("tab", { name: "Request", exact: true }).click();
  const body = page.getByRole("region", { name: "Body of the request" });
  await body.getByText("b: 1").waitFor();
  await page.getByRole("button", { name: "Fold", exact: true }).click();
  await body.getByText("b: 1").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Raw" }).click();
  expect(await body.innerText()).toContain("12345678901234567890");
});
