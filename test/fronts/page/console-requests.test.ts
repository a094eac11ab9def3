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
