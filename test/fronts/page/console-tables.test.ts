import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";

test("changes a cell by keyboard, and puts the focus back", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByRole("gridcell", { name: "1", exact: true }).focus();
  for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await page.keyboard.type("Paris");
  await page.keyboard.press("Enter");
  await page.locator("td.cell:focus", { hasText: "Paris" }).waitFor();
  expect(emulator.tables["users"]?.get(1)).toMatchObject({ city: "Paris" });
});

test("adds a row with what is typed, and duplicates one", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByRole("button", { name: "Add row" }).press("Enter");
  await page.getByLabel("Value of name").fill("Mary");
  await page.getByLabel("Value of active").fill("true");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
  await page.getByText("4 rows", { exact: true }).waitFor();
  expect(emulator.tables["users"]?.get(4)).toMatchObject({ name: "Mary", active: true });
  await page.getByRole("gridcell", { name: "Ada" }).press(" ");
  await page.getByRole("button", { name: "Duplicate" }).press("Enter");
  await page.getByLabel("Value of name").fill("Ada II");
  await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
  await page.getByRole("gridcell", { name: "Ada II" }).waitFor();
  expect(emulator.tables["users"]?.get(5)).toMatchObject({ city: "London", tags: ["a"] });
});

test("filters and sorts in the heads of columns, and keeps both in the address", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/users");
  await page.getByRole("searchbox", { name: "Filter name" }).fill("like a%");
  await page.getByRole("button", { name: "id", exact: true }).press("Enter");
  await page.getByRole("button", { name: "id", exact: true }).press("Enter");
  await page.getByText("/rest/users?name.like=a%25&sort_by=id&order=desc").waitFor();
  await page.getByText("2 rows", { exact: true }).waitFor();
  const names = page.locator("td.cell:nth-child(3)");
  await expect.poll(() => names.allInnerTexts()).toEqual(["Alan", "Ada"]);
  await page.locator("th[aria-sort=descending]").getByText("id").waitFor();
  await page.reload();
  await page.getByText("2 rows", { exact: true }).waitFor();
  await expect.poll(() => names.allInnerTexts()).toEqual(["Alan", "Ada"]);
  await page.getByRole("searchbox", { name: "Filter name" }).fill("zzz");
  await expectShown(page.getByText("No rows."));
});
