import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../../support/browser/console-page.ts";

const headers = { authorization: "Bearer local-token" };

test("leaves the console's own requests out, unless it is told to show them", async () => {
  await using opened = await openConsole();
  await opened.show("tables/users");
  await opened.show("requests");
  await opened.page.getByText("0 of 1").waitFor();
  await opened.page.getByLabel("from this console").check();
  await expectShown(opened.page.getByRole("row", { name: "/rest/users" }));
});

test("copies a request as a curl line", async () => {
  const context = { permissions: ["clipboard-read", "clipboard-write"] };
  await using opened = await openConsole({ context });
  const { page, server } = opened;
  await fetch(`${server.url}/rest/users/1`, { headers });
  await page.getByRole("row", { name: "/rest/users/1" }).click();
  await page.getByRole("button", { name: "curl", exact: true }).press("Enter");
  await page.getByText("Copied").first().waitFor();
  const line = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(line).toContain(`${server.url}/rest/users/1 -H 'authorization: Bearer local-token'`);
});

test("shows which session asked, and pauses", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await fetch(`${server.url}/@cart-test/rest/users/2`, { headers });
  await page.getByLabel("all sessions").check();
  await expectShown(page.getByRole("row", { name: "cart-test GET /rest/users/2" }));
  await page.reload();
  await page.getByRole("row", { name: "cart-test GET /rest/users/2" }).click();
  await page.getByRole("link", { name: "Go on in its session" }).click();
  await page.waitForURL("**/@cart-test/__backlot/**");
  await page.getByRole("heading", { name: "200 complete GET /rest/users/2" }).waitFor();
  await page.goBack();
  await page.getByRole("row", { name: "cart-test GET /rest/users/2" }).waitFor();
  await page.getByRole("button", { name: "Pause" }).press("Enter");
  await fetch(`${server.url}/rest/users/3`, { headers });
  await expectShown(page.getByText("paused · 1 of 2"));
  expect(await page.getByRole("row", { name: "/rest/users/3" }).count()).toBe(0);
  await page.getByRole("button", { name: "Pause" }).press("Enter");
  await expectShown(page.getByRole("row", { name: "/rest/users/3" }));
});

test("filters the list and empties it", async () => {
  await using opened = await openConsole();
  const { page, server, emulator } = opened;
  for (const path of ["/rest/users", "/rest/stock", "/rest/nothing"]) {
    await fetch(server.url + path, { headers });
  }
  const rows = page.locator("[role=row][aria-selected]");
  await rows.nth(2).waitFor();
  await page.getByLabel("Ended").selectOption("complete");
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel("Find").fill("STOCK");
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("button", { name: "Clear all requests" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("No requests yet").waitFor();
  expect(emulator.journal.list()).toEqual([]);
});

test("goes on from a request: sends it again, has the next one fail, makes a script of it", async () => {
  await using opened = await openConsole();
  const { page, server, emulator } = opened;
  await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({
      model: "atlas-large",
      messages: [{ role: "user", content: "Who are you?" }],
    }),
  });
  await page.getByRole("row", { name: "Who are you?" }).click();
  await page.getByRole("button", { name: "Fail next time" }).click();
  await page.locator(".toast").getByText("The next POST /v1/chat/completions gets 503.").waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("row", { name: "503 refused" }).waitFor();
  await page.getByRole("button", { name: "Make a script" }).click();
  await page.getByRole("button", { name: "Add before all others" }).click();
  await page.locator(".toast").getByText("Script added").waitFor();
  expect(emulator.chats.list()[0]).toMatchObject({
    name: "who-are-you",
    when: { user: { equals: "Who are you?" } },
  });
});
