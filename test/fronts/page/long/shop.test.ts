import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Backend, openShop } from "../../../support/browser/open-shop.ts";

const backends: readonly Backend[] = ["server", "msw", "worker", "start"];

/** The titles of the products that the table shows. */
function titles(page: Page): Promise<readonly string[]> {
  return page.locator("tbody tr td:first-child").allTextContents();
}

test.each(backends)(
  "the shop filters, sorts and pages products, and stops a chat, when %s answers",
  async (backend) => {
    await using shop = await openShop(backend);
    const { page } = shop;
    await expect.poll(() => titles(page)).toHaveLength(6);
    await page.getByLabel("Category").selectOption("coffee");
    await page.getByLabel("In stock only").check();
    await page.getByRole("button", { name: "Price" }).click();
    await page.getByRole("button", { name: "Price" }).click();
    await page.getByText("order=DESC").waitFor();
    await expect.poll(async () => (await titles(page))[0]).toBe("Moka Pot, 3 Cups");
    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(async () => (await titles(page))[0]).toBe("Colombia Washed");
    await page.getByRole("button", { name: "Tell me a story" }).click();
    const answer = page.locator("li.assistant");
    const seen = new Set<string | null>();
    await expect.poll(async () => seen.add(await answer.textContent()).size).toBeGreaterThan(3);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Send" }).waitFor();
  },
);

test("the shop tells when an answer broke off, and leaves no empty bubble for one that was refused", async () => {
  await using shop = await openShop("server");
  const { page } = shop;
  const say = async (text: string): Promise<void> => {
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  await say("busy");
  await page.getByRole("alert").getByText("overloaded").waitFor();
  expect(await page.locator("li.assistant").count()).toBe(0);
  await say("fault: cut");
  await page.getByRole("alert").getByText("The answer broke off.").waitFor();
});
