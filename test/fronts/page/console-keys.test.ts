import { expect, test } from "vitest";
import { expectShown, type OpenConsole, openConsole } from "../../support/browser/console-page.ts";

async function ask(
  { server }: OpenConsole,
  user: string,
  { session = "", header = "none" } = {},
): Promise<void> {
  const headers = {
    authorization: "Bearer any",
    "content-type": "application/json",
    "x-tenant": header,
  };
  const body = JSON.stringify({
    model: "atlas-large",
    messages: [{ role: "user", content: user }],
  });
  const url = `${server.url}${session}/v1/chat/completions`;
  await (await fetch(url, { method: "POST", headers, body })).text();
}

test("a session's badge leaves its requests alone in the list", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await ask(opened, "from the base");
  await ask(opened, "from seven", { session: "/@test-7" });
  await opened.show("sessions");
  await page.getByRole("link", { name: "1 request" }).press("Enter");
  const list = page.getByRole("treegrid", { name: "Requests" });
  await list.getByText("from seven").waitFor();
  await list.getByText("from the base").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Show all" }).press("Enter");
  await list.getByText("from the base").waitFor();
  await list.getByRole("button", { name: "base session" }).click();
  await list.getByText("from seven").waitFor({ state: "detached" });
  await expectShown(list.getByText("from the base"));
});

test("finds words in headers, and the key / leads to the field", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await ask(opened, "the first", { header: "acme" });
  await ask(opened, "the second");
  const list = page.getByRole("treegrid", { name: "Requests" });
  await list.getByText("the second").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("x-tenant: acme");
  await list.getByText("the second").waitFor({ state: "detached" });
  await list.getByText("the first").waitFor();
  for (const [view, label] of [
    ["sessions", "Find or open a session"],
    ["scripts", "Name, criterion or reply"],
    ["tables/users", "Filter id"],
  ] as const) {
    await opened.show(view);
    await page.locator("h1").focus();
    await page.keyboard.press("/");
    await expectShown(page.getByLabel(label).and(page.locator(":focus")));
  }
});

test("Back and Escape close the details of a request before they leave the list", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await ask(opened, "the first");
  await ask(opened, "the second");
  await opened.show("tables/users");
  await opened.show("requests");
  const list = page.getByRole("treegrid", { name: "Requests" });
  const heading = page.locator("#request-heading");
  await list.getByText("the first").click();
  await heading.waitFor();
  await page.keyboard.press("ArrowUp");
  await page.goBack();
  await heading.waitFor({ state: "detached" });
  await list.waitFor();
  await list.getByText("the first").click();
  await heading.waitFor();
  await page.locator("h1").focus();
  await page.keyboard.press("Escape");
  await heading.waitFor({ state: "detached" });
  await list.waitFor();
  await page.goBack();
  await expectShown(page.getByRole("heading", { name: "Tables" }));
});

test("tells a screen reader what the person does, and not each request", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  const news = page.locator("p.unseen[role=status]");
  await ask(opened, "weather of today");
  await page.getByRole("treegrid", { name: "Requests" }).getByText("weather of today").waitFor();
  expect(await news.innerText()).toBe("");
  await page.getByRole("button", { name: "Clear all requests" }).press("Enter");
  await page.keyboard.press("Enter");
  await expect.poll(() => news.innerText()).toBe("List cleared.");
});

test("shows times on the reader's clock, with the zone", async () => {
  await using opened = await openConsole({
    options: { clock: "2026-07-01T10:00:00.000Z" },
    context: { timezoneId: "Asia/Kolkata" },
  });
  const { page } = opened;
  await ask(opened, "what time is it", { session: "/@test-7" });
  await opened.show("sessions");
  await page.getByText("2026-07-01 15:30:00 GMT+5:30").waitFor();
  await ask(opened, "what time is it here");
  await opened.show("requests");
  await expectShown(page.getByRole("treegrid", { name: "Requests" }).getByText("15:30:00.000"));
});
