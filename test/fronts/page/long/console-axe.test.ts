import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { closeWindow, openConsole } from "../../../support/browser/console-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const headers = { authorization: "Bearer local-token", "content-type": "application/json" };

/** A scheme changes colours only. What passes is not described, which takes as long as to find what does not. */
const rulesIn = {
  light: '{ resultTypes: ["violations"] }',
  dark: '{ resultTypes: ["violations"], runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }',
} as const;

test.each([1440, 390])(
  "has no violation of axe's rules in any view, %i wide, light and dark",
  async (width) => {
    const context = { viewport: { width, height: 800 } };
    await using opened = await openConsole({ context, path: "/@a/__backlot/" });
    const { page, server, emulator } = opened;
    await page.evaluate(axe);
    const violations = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const those: readonly string[] = await page.evaluate(
          `axe.run(document, ${rulesIn[colorScheme]}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(" "))))`,
        );
        found.push(...those);
      }
      return found;
    };
    expect(await violations(), "no requests").toEqual([]);
    emulator.session("a").faults.add({ status: 500, times: 1, path: "/rest/log" });
    emulator.session("other").snapshot("one");
    for (const path of ["/rest/users", "/rest/log", "/rest/nothing"]) {
      await fetch(`${server.url}/@a${path}`, { headers });
    }
    for (const content of ["slow", "broken", "unknown"]) {
      const body = JSON.stringify({
        model: "atlas-large",
        stream: true,
        messages: [{ role: "user", content }],
      });
      const url = `${server.url}/@a/v1/chat/completions`;
      const answer = await fetch(url, { method: "POST", headers, body });
      await answer.text().catch(() => undefined);
    }
    emulator.session("a").faults.add({ status: 500 });
    for (const view of [
      "requests",
      "requests/2",
      "tables/users",
      "chats",
      "scripts",
      "sessions",
      "faults",
    ]) {
      await opened.show(view);
      expect(await violations(), view).toEqual([]);
    }
    await opened.show("requests");
    const turns = ["Hello?", "Echo: Hello?", "Again?"].map((content, index) => ({
      role: index === 1 ? "assistant" : "user",
      content,
    }));
    for (const messages of [turns.slice(0, 1), turns]) {
      const body = JSON.stringify({ model: "atlas-large", messages });
      await fetch(`${server.url}/@a/v1/chat/completions`, { method: "POST", headers, body });
    }
    await page.getByRole("row", { name: "Hello?" }).click();
    await page.getByRole("row", { name: "Again?" }).click();
    await page.getByRole("tab", { name: "Messages" }).click();
    expect(await violations(), "a conversation").toEqual([]);
    for (const row of ["broken", "unknown", "/rest/log"]) {
      await page.getByRole("treegrid").getByText(row).first().click();
      for (const tab of ["Why", "Request", "Response", "Timing"]) {
        await page.getByRole("tab", { name: tab, exact: true }).click();
        expect(await violations(), `${row}: ${tab}`).toEqual([]);
      }
    }
    await page.getByRole("treegrid").getByText("unknown").first().click();
    await page.getByRole("button", { name: "Make a script" }).click();
    await page.getByRole("button", { name: "Add before all others" }).waitFor();
    expect(await violations(), "a script of a request").toEqual([]);
    await opened.show("tables/users");
    await page.getByRole("button", { name: "Add row" }).click();
    expect(await violations(), "a new row").toEqual([]);
    await closeWindow(page);
    await page.getByRole("link", { name: "1 fault" }).waitFor();
    await page.keyboard.press("Control+k");
    expect(await violations(), "commands").toEqual([]);
    await closeWindow(page);
    await page.locator("h1").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(await violations(), "keys").toEqual([]);
    await closeWindow(page);
    emulator.session("a").faults.clear();
    await opened.show("tables/users");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("gridcell", { name: "Ada" }).press(" ");
    await page.getByRole("gridcell", { name: "Ada" }).press("Enter");
    await page.getByLabel("Kind of name").selectOption("JSON");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await violations(), "a cell that is edited, and a refusal").toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await opened.show("chats");
    // Without a model nothing is sent.
    await expect.poll(() => page.getByLabel("Model").inputValue()).not.toBe("");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("How and why").first().click();
    await page.getByRole("tab").first().waitFor();
    expect(await violations(), "an answer").toEqual([]);
    if (width < 960) await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel(/^Tools and further/).fill('{"n": 2}');
    await page.getByRole("button", { name: "New conversation" }).click();
    expect(await violations(), "examples").toEqual([]);
    await page.getByRole("button", { name: "broken" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("How and why").first().click();
    await page.getByText(/^Received: /).waitFor();
    expect(await violations(), "an answer that broke off").toEqual([]);
  },
  240_000,
);
