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
  await page.getByLabel("Value of active").selectOption("true");
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

/**
 * Runs in the page: counts the cells that a change of the table touches, until it is asked, and the rows that are drawn
 * again, of which each decodes its key.
 */
const countTouched = `{
  const decode = decodeURIComponent;
  globalThis.drawnRows = 0;
  globalThis.decodeURIComponent = (text) => {
    if (text.includes("%20of%20")) globalThis.drawnRows++;
    return decode(text);
  };
  const touched = new Set();
  const watch = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const cell = (target.closest ? target : target.parentElement).closest("td, th");
      // The table itself says when it is reading.
      for (const one of cell === null ? addedNodes : [cell]) touched.add(one);
    }
  });
  watch.observe(document.querySelector("table[role=grid]"), {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  globalThis.touchedCells = async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const count = touched.size;
    touched.clear();
    return count;
  };
}`;

test("draws no row when the focus moves in a table of 200 columns, touches two cells, and picks a row alone", async () => {
  await using opened = await openConsole({ options: { fixtures: wide } });
  const { page } = opened;
  await opened.show("tables/wide");
  const first = page.getByRole("gridcell", { name: "c0 of 0", exact: true });
  await first.waitFor();
  await page.evaluate(countTouched);
  const touched = async (key: string): Promise<unknown> => {
    await page.keyboard.press(key);
    return page.evaluate("touchedCells()");
  };
  const moves = async (): Promise<unknown> => {
    await first.focus();
    await page.evaluate("touchedCells()");
    await page.evaluate("drawnRows = 0");
    const cells: unknown[] = [];
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"])
      cells.push(await touched(key));
    return { cells, rows: await page.evaluate("drawnRows") };
  };
  // What the page still reads when it has begun is drawn, too: it is tried again.
  await expect.poll(moves, { timeout: 20_000 }).toEqual({ cells: [2, 2, 2, 2, 2], rows: 0 });
  await page.locator("td.cell:focus", { hasText: "c0 of 1" }).waitFor();
  await page.locator("td.cell[tabindex='0']", { hasText: "c0 of 1" }).waitFor();
  expect(await page.locator("[data-cell][tabindex='0']").count()).toBe(1);
  expect(await touched(" ")).toBeLessThan(4);
  expect([1, 2, 3]).toContain(await page.evaluate("drawnRows"));
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

const typed = {
  tables: {
    events: {
      primaryKey: "id",
      columns: {
        id: "INTEGER",
        price: "REAL",
        open: "BOOLEAN",
        day: "DATE",
        at: "TIMESTAMP",
        data: "JSON",
        story: "TEXT",
      },
      rows: [
        {
          id: 1,
          price: 2.5,
          open: true,
          day: "2026-01-31",
          at: "2026-01-31 08:30:00Z",
          data: { a: 1 },
          story: "It was a dark night.\n\n".repeat(20),
        },
      ],
    },
  },
} as const;

test("edits each value in a field of its type, and undoes it", async () => {
  await using opened = await openConsole({ options: { fixtures: typed } });
  const { page, emulator } = opened;
  await opened.show("tables/events");
  const before = emulator.tables["events"]?.get(1);
  const save = page.getByRole("button", { name: "Save", exact: true });
  const edit = async (column: string): Promise<void> => {
    const at = Object.keys(typed.tables.events.columns).indexOf(column);
    await page.locator("td.cell").nth(at).dblclick();
    await page.getByLabel(`Value of ${column}`).waitFor();
  };
  await edit("price");
  await page.getByLabel("Value of price").fill("much");
  await save.press("Enter");
  await page.getByRole("alert").getByText('"much" is not a number').waitFor();
  await page.getByLabel("Value of price").fill("3.75");
  await page.keyboard.press("Enter");
  await page.locator("td.cell:focus", { hasText: "3.75" }).waitFor();
  await edit("open");
  await page.getByLabel("Value of open").selectOption("false");
  await save.press("Enter");
  await page.locator("td.cell:focus", { hasText: "false" }).waitFor();
  await edit("day");
  await page.getByLabel("Value of day").fill("2027-02-01");
  await save.press("Enter");
  await page.locator("td.cell:focus", { hasText: "2027-02-01" }).waitFor();
  await edit("at");
  await page.getByLabel("Value of at").fill("2027-02-01T09:45:00");
  await save.press("Enter");
  await page.locator("td.cell:focus", { hasText: "2027-02-01 09:45:00Z" }).waitFor();
  expect(emulator.tables["events"]?.get(1)).toMatchObject({
    price: 3.75,
    open: false,
    day: "2027-02-01",
    at: "2027-02-01 09:45:00Z",
  });
  for (let left = 4; left > 0; left--) await page.keyboard.press("Control+z");
  await expect.poll(() => emulator.tables["events"]?.get(1)).toEqual(before);
});

test("says where a text stops being JSON, and puts the cursor there", async () => {
  await using opened = await openConsole({ options: { fixtures: typed } });
  const { page, emulator } = opened;
  await opened.show("tables/events");
  await page.locator("td.cell").nth(5).dblclick();
  await page.getByLabel("Value of data").fill('{"a": 1,\n "b": tru}');
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await page.getByRole("alert").getByText("line 2, column 7").waitFor();
  const start = await page.getByLabel("Value of data").evaluate((field) => {
    return "selectionStart" in field ? field.selectionStart : undefined;
  });
  expect(start).toBe(15);
  expect(emulator.tables["events"]?.get(1)).toMatchObject({ data: { a: 1 } });
});

test("edits a long text in a panel", async () => {
  await using opened = await openConsole({ options: { fixtures: typed } });
  const { page, emulator } = opened;
  await opened.show("tables/events");
  await page.locator("td.cell").nth(6).dblclick();
  const panel = page.getByRole("dialog", { name: "Change story" });
  await panel.getByLabel("Value of story").fill(`First line.\n${"More. ".repeat(40)}`);
  await page.keyboard.press("Enter");
  await page.keyboard.type("The end.");
  await page.keyboard.press("Control+Enter");
  await panel.waitFor({ state: "detached" });
  const story = expect.stringMatching(/^First line\.\n[^]*\nThe end\.$/) as unknown;
  expect(emulator.tables["events"]?.get(1)).toMatchObject({ story });
});

test("shows what changed a row before and after, and nothing of its neighbour", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
  for (const [id, city] of [
    [1, "Paris"],
    [3, "Oslo"],
    [1, "Rome"],
  ] as const) {
    const body = JSON.stringify({ city });
    await fetch(`${server.url}/rest/users/${id}`, { method: "PATCH", headers, body });
  }
  await opened.show("tables/users");
  await page.getByRole("checkbox", { name: "Pick row 1", exact: true }).check();
  await page.getByRole("button", { name: "History" }).press("Enter");
  const rows = page.getByRole("dialog").locator("tbody tr");
  await rows.first().waitFor();
  const texts = await rows.allInnerTexts();
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/PATCH 3\s+city\s+"Paris"\s+"Rome"/);
  expect(texts[1]).toMatch(/PATCH 1\s+city\s+"London"\s+"Paris"/);
});
