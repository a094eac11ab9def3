import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";

const headers = { authorization: "Bearer local-token" };

test("lists requests as they come, and tells why each was answered so", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  await fetch(`${server.url}/rest/users?city=London`, { headers });
  await fetch(`${server.url}/rest/user`, { headers });
  await page.getByRole("link", { name: "/rest/users" }).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "404 GET /rest/user" }).waitFor();
  expect(await page.locator(".details .said").innerText()).toContain("unknown_table");
  await page.keyboard.press("Escape");
  await page.locator(".requests a:focus").getByText("/rest/user").waitFor();
});

test("filters the list and empties it", async () => {
  await using opened = await openConsole();
  const { page, server, emulator } = opened;
  for (const path of ["/rest/users", "/rest/stock", "/rest/nothing"]) {
    await fetch(server.url + path, { headers });
  }
  const rows = page.locator(".requests li");
  await rows.nth(2).waitFor();
  await page.getByLabel("Status").selectOption("2xx");
  expect(await rows.count()).toBe(2);
  await page.getByLabel("Path").fill("STOCK");
  expect(await rows.count()).toBe(1);
  await page.getByRole("button", { name: "Clear all requests" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("No requests yet").waitFor();
  expect(emulator.journal.list()).toEqual([]);
});

test("leaves the console's own requests out, unless it is told to show them", async () => {
  await using opened = await openConsole();
  await opened.show("tables/users");
  await opened.show("requests");
  await opened.page.getByText("0 of 1").waitFor();
  await opened.page.getByLabel("from this console").check();
  await expectShown(opened.page.getByRole("link", { name: "/rest/users" }));
});

test("copies a request as a curl line", async () => {
  const context = { permissions: ["clipboard-read", "clipboard-write"] };
  await using opened = await openConsole({ context });
  const { page, server } = opened;
  await fetch(`${server.url}/rest/users/1`, { headers });
  await page.getByRole("link", { name: "/rest/users/1" }).press("Enter");
  await page.getByRole("button", { name: "Copy as curl" }).press("Enter");
  await page.getByText("Copied").first().waitFor();
  const line = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(line).toContain(`${server.url}/rest/users/1 -H 'authorization: Bearer local-token'`);
});
