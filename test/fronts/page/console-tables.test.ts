import { expect, test } from "vitest";
import { openConsole } from "../../support/browser/console-page.ts";

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

test("writes no old value back where the row changed while its editor was open", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByRole("gridcell", { name: "London" }).first().dblclick();
  await page.getByLabel("Value of city").waitFor();
  emulator.tables["users"]?.update(1, { city: "Paris" });
  await page.keyboard.press("Enter");
  await page.getByLabel("Value of city").waitFor({ state: "detached" });
  expect(emulator.tables["users"]?.get(1)).toMatchObject({ city: "Paris" });
  await page.getByRole("gridcell", { name: "Paris" }).dblclick();
  await page.getByLabel("Value of city").fill("Rome");
  emulator.tables["users"]?.update(1, { city: "Lima" });
  await page.keyboard.press("Enter");
  await page.getByText('Somebody has changed "city" meanwhile, from "Paris" to "Lima"').waitFor();
  expect(emulator.tables["users"]?.get(1)).toMatchObject({ city: "Lima" });
  await page.keyboard.press("Enter");
  await page.getByRole("gridcell", { name: "Rome" }).waitFor();
  expect(emulator.tables["users"]?.get(1)).toMatchObject({ city: "Rome" });
});

const wideColumns = Array.from({ length: 200 }, (_, at) => `c${at}`);
const wide = {
  tables: {
    wide: {
      primaryKey: "c0",
      columns: Object.fromEntries(wideColumns.map((name) => [name, "TEXT"])),
      rows: Array.from({ length: 60 }, (_, row) =>
        Object.fromEntries(wideColumns.map((name) => [name, `${name} of ${row}`])),
      ),
    },
  },
} as const;

test("draws only the columns in sight, and moves the focus to those that are not", async () => {
  await using opened = await openConsole({ options: { fixtures: wide } });
  const { page } = opened;
  await opened.show("tables/wide");
  const heads = page.getByRole("columnheader");
  const cells = page.locator("td.cell");
  await page.getByRole("gridcell", { name: "c3 of 0", exact: true }).waitFor();
  expect(await heads.count()).toBeLessThan(25);
  expect(await cells.count()).toBeLessThan(1200);
  await page.getByRole("gridcell", { name: "c0 of 0", exact: true }).press("End");
  await page.locator("td.cell:focus", { hasText: "c199 of 0" }).waitFor();
  expect(await page.locator("td.cell:focus").getAttribute("aria-colindex")).toBe("201");
  await page.getByRole("gridcell", { name: "c0 of 0", exact: true }).waitFor();
  await page.getByRole("columnheader", { name: "c50 " }).waitFor({ state: "detached" });
  expect(await heads.count()).toBeLessThan(25);
  await page.keyboard.press("Home");
  await page.locator("td.cell:focus", { hasText: "c0 of 0" }).waitFor();
});

test("hides columns, and keeps in the address which", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/users");
  await page.getByRole("button", { name: "Columns", exact: true }).press("Enter");
  await page.getByLabel("Find a column").fill("ci");
  await page.getByRole("checkbox", { name: "city" }).uncheck();
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await page.getByRole("columnheader", { name: "city" }).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("button", { name: "Columns: 1 hidden" }).press("Enter");
  expect(await page.getByRole("columnheader", { name: "city" }).count()).toBe(0);
  await page.getByRole("button", { name: "Show all" }).press("Enter");
  await page.getByRole("columnheader", { name: "city" }).waitFor();
});
