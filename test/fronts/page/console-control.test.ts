import { expect, test } from "vitest";
import { openConsole } from "../../support/browser/console-page.ts";

const headers = { authorization: "Bearer local-token" };

test("lists scripts with their matches, adds one and takes it out", async () => {
  await using opened = await openConsole();
  const { page, server, emulator } = opened;
  const body = JSON.stringify({
    model: "atlas-large",
    messages: [{ role: "user", content: "broken" }],
  });
  await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body,
  });
  await opened.show("scripts");
  await page.getByText("1 match").waitFor();
  await page.getByRole("button", { name: "Add script" }).press("Enter");
  await page.getByLabel("Script (JSON)").fill('{"name": "new", "reply": {"contents": "x"}}');
  await page.getByRole("button", { name: "Add before all others" }).press("Enter");
  await page.getByRole("alert").getByText('Did you mean "content"?').waitFor();
  await page.getByLabel("Script (JSON)").fill('{"name": "new", "reply": {"content": "x"}}');
  await page.getByRole("button", { name: "Add before all others" }).press("Enter");
  await page.locator(".script summary", { hasText: "new" }).press("Enter");
  expect(emulator.chats.list()[0]?.name).toBe("new");
  await page.getByRole("button", { name: "Remove script new" }).press("Enter");
  await page.getByRole("button", { name: "Really? script new" }).press("Enter");
  await page.getByText("3, matched from the top").waitFor();
});

test("takes a snapshot, goes back to it, and resets", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  const users = emulator.tables["users"];
  await opened.show("sessions");
  users?.delete(1);
  await page.getByLabel("Name").fill("two");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Restore snapshot two" }).waitFor();
  users?.delete(2);
  await page.getByRole("button", { name: "Restore snapshot two" }).press("Enter");
  await page.getByRole("button", { name: "Really? snapshot two" }).press("Enter");
  await expect.poll(() => users?.size).toBe(2);
  await page.getByRole("button", { name: "Reset everything" }).press("Enter");
  await page.getByRole("button", { name: "Really?" }).press("Enter");
  await expect.poll(() => users?.size).toBe(3);
});

test("plans a fault that a request then meets", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await opened.show("faults");
  await page.getByLabel("Fault (JSON)").fill('{"status": 429, "times": 2, "table": "users"}');
  await page.getByRole("button", { name: "Plan fault" }).press("Enter");
  await page.getByText("2 left").waitFor();
  expect((await fetch(`${server.url}/rest/stock`, { headers })).status).toBe(200);
  expect((await fetch(`${server.url}/rest/users`, { headers })).status).toBe(429);
  await page.getByText("1 left").waitFor();
  await page.getByRole("button", { name: "Remove fault 1" }).press("Enter");
  await page.getByRole("button", { name: "Really? fault 1" }).press("Enter");
  await page.getByText("Nothing is planned to go wrong.").waitFor();
  expect((await fetch(`${server.url}/rest/users`, { headers })).status).toBe(200);
});
