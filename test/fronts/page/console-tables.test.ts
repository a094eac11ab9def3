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

test("shows why a change was refused beside its field, and changes nothing", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByRole("gridcell", { name: "Ada" }).press("Enter");
  await page.getByLabel("Kind of name").selectOption("JSON");
  await page.getByLabel("Value of name").fill("5");
  await page.keyboard.press("Enter");
  const cell = page.locator("td.cell", { has: page.getByLabel("Value of name") });
  await cell.getByRole("alert").getByText("takes a string, not 5").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("td.cell:focus", { hasText: "Ada" }).waitFor();
  expect(emulator.tables["users"]?.get(1)).toMatchObject({ name: "Ada" });
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

test("deletes the picked rows, and brings them back", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  const before = emulator.tables["users"]?.rows();
  await page.getByRole("gridcell", { name: "Ada" }).focus();
  for (const key of [" ", "ArrowDown", "ArrowDown", " "]) await page.keyboard.press(key);
  await page.getByText("2 of 3 rows picked").waitFor();
  await page.getByRole("button", { name: "Delete 2 rows" }).press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("1 row", { exact: true }).waitFor();
  await page.locator("td.cell:focus").waitFor();
  expect(emulator.tables["users"]?.size).toBe(1);
  await page.keyboard.press("Control+z");
  await page.getByText("3 rows", { exact: true }).waitFor();
  expect(emulator.tables["users"]?.rows()).toEqual(before);
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

test("copies the picked rows, or all of the query", async () => {
  const context = { permissions: ["clipboard-read", "clipboard-write"] };
  await using opened = await openConsole({ context });
  const { page } = opened;
  await opened.show("tables/users");
  const copied = (): Promise<string> => page.evaluate("navigator.clipboard.readText()");
  await page.getByRole("button", { name: "CSV" }).press("Enter");
  await expect.poll(copied).toMatch(/^id,name,city,active,tags\r?\n1,Ada,London,true/);
  expect((await copied()).trim().split("\n").length).toBe(4);
  await page.getByRole("gridcell", { name: "Grace" }).press(" ");
  await page.getByRole("button", { name: "SQL" }).press("Enter");
  await expect.poll(copied).toContain("(2, 'Grace', NULL, false, NULL)");
  await page.getByRole("button", { name: "JSON", exact: true }).press("Enter");
  await expect.poll(async () => (await copied()).startsWith("[")).toBe(true);
  expect(JSON.parse(await copied())).toMatchObject([{ id: 2, name: "Grace" }]);
});

test("shows what somebody else writes", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await opened.show("tables/users");
  await page.getByText("3 rows", { exact: true }).waitFor();
  const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
  const body = JSON.stringify({ name: "Mary", active: true });
  await fetch(`${server.url}/rest/users`, { method: "POST", headers, body });
  await page.getByRole("navigation", { name: "Tables" }).getByText("4").waitFor();
  await page.getByRole("gridcell", { name: "Mary" }).waitFor();
  await expectShown(page.getByText("4 rows", { exact: true }));
});
