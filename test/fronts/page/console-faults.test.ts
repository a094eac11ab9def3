import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type OpenConsole, openConsole } from "../../support/browser/console-page.ts";

/** Sends a chat as an app does. Returns its status. */
async function ask(
  opened: OpenConsole,
  messages: readonly object[],
  session = "",
): Promise<number> {
  const headers = { authorization: "Bearer any", "content-type": "application/json" };
  const body = JSON.stringify({ model: "atlas-large", messages });
  const url = `${opened.server.url}${session}/v1/chat/completions`;
  const response = await fetch(url, { method: "POST", headers, body });
  await response.text();
  return response.status;
}

const said = (content: string): object => ({ role: "user", content });
const heard = { role: "assistant", content: "Well." };

async function plan(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Plan fault" }).press("Enter");
  await page.getByRole("heading", { name: "fault 1" }).waitFor();
}

test("plans a fault for one conversation, which alone meets it", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await ask(opened, [said("About tea")]);
  await ask(opened, [said("About cats")]);
  await opened.show("faults");
  await page.getByRole("textbox", { name: "Status" }).fill("429");
  await page.getByLabel("Retry after (ms)").fill("20");
  await page.getByLabel("For which requests").selectOption("one conversation");
  await page.getByLabel("Which one").selectOption("About tea");
  await plan(page);
  expect(await ask(opened, [said("About cats"), heard, said("Go on")])).toBe(200);
  expect(await ask(opened, [said("About tea"), heard, said("Go on")])).toBe(429);
  expect(await ask(opened, [said("About tea"), heard, said("Go on")])).toBe(200);
});

test("plans a fault for a script, in the session that is chosen", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await ask(opened, [said("broken")], "/@test-7");
  await opened.show("faults");
  await page.getByLabel("What goes wrong").selectOption("an error status");
  await page.getByLabel("For which requests").selectOption("a script");
  await page.getByLabel("Which one").selectOption("slow");
  await page.getByLabel("Session").selectOption("test-7");
  await page.getByRole("button", { name: "Plan fault" }).press("Enter");
  await expect
    .poll(() => emulator.session("test-7").faults.list())
    .toMatchObject([{ script: "slow", status: 503, times: 1 }]);
  expect(await ask(opened, [said("slow")])).toBe(200);
  expect(await ask(opened, [said("broken")], "/@test-7")).toBe(200);
  expect(await ask(opened, [said("slow")], "/@test-7")).toBe(503);
});

test("plans faults for an endpoint, a table and a model, and lets the rule be edited", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("faults");
  const rule = async (): Promise<unknown> =>
    JSON.parse(await page.getByLabel("Fault (JSON)").inputValue());
  await page.getByLabel("What goes wrong").selectOption("cut");
  await page.getByLabel("After chunks").fill("2");
  await page.getByLabel("How often").fill("");
  await page.getByLabel("For which requests").selectOption("a model");
  expect(await rule()).toEqual({ when: { model: "atlas-large" }, fault: "cut", afterChunks: 2 });
  await page.getByLabel("For which requests").selectOption("a table");
  await page.getByLabel("Which one").selectOption("stock");
  await page.getByLabel("What goes wrong").selectOption("a delay");
  expect(await rule()).toEqual({ table: "stock", delayMs: 1000 });
  await page.getByLabel("For which requests").selectOption("an endpoint");
  await page.getByLabel("Which one").selectOption("POST /v1/chat/completions");
  expect(await rule()).toMatchObject({ method: "POST", path: "/v1/chat/completions" });
  await page.getByLabel("Delay (ms)").fill("soon");
  await page.getByRole("button", { name: "Plan fault" }).press("Enter");
  await page.getByRole("alert").getByText("delayMs").waitFor();
  await page.getByLabel("Fault (JSON)").fill('{"status": 418}');
  await plan(page);
  expect(opened.emulator.faults.list()).toMatchObject([{ status: 418 }]);
});
