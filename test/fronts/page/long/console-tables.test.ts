import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../../support/browser/console-page.ts";

test("writes JSON, null and a text in a cell, and undoes each", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  const row = (): unknown => emulator.tables["users"]?.get(1);
  const tags = page.locator("tbody tr").nth(1).locator("td").nth(5);
  const written: unknown[] = [];
  for (const [kind, text] of [
    ["JSON", '{"b": [1]}'],
    ["text", "plain"],
    ["null", undefined],
  ] as const) {
    await tags.press("Enter");
    await page.getByLabel("Kind of tags").selectOption(kind);
    if (text !== undefined) await page.getByLabel("Value of tags").fill(text);
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.locator("td.cell:focus").waitFor();
    written.push(row());
  }
  expect(written).toMatchObject([{ tags: { b: [1] } }, { tags: "plain" }, { tags: null }]);
  for (const tag of ["plain", { b: [1] }, ["a"]]) {
    await page.keyboard.press("Control+z");
    await expect.poll(row).toMatchObject({ tags: tag });
  }
  await expectShown(page.getByRole("button", { name: "Undo", exact: true }));
});

test("undoes to what was written last, even where the grid still shows the value before", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  // From here on, the grid reads no rows.
  await page.route(/\/rest\/users\?/, () => undefined);
  const row = (): unknown => emulator.tables["users"]?.get(1);
  const city = page.locator("tbody tr").nth(1).locator("td").nth(3);
  for (const text of ["Paris", "Rome"]) {
    await city.press("Enter");
    await page.getByLabel("Value of city").fill(text);
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.locator("td.cell:focus").waitFor();
    expect(row()).toMatchObject({ city: text });
  }
  for (const before of ["Paris", "London"]) {
    await page.keyboard.press("Control+z");
    await expect.poll(row).toMatchObject({ city: before });
  }
});

test("does not undo over what somebody else has written since", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByRole("gridcell", { name: "Ada" }).press("Enter");
  await page.keyboard.type("Ida");
  await page.keyboard.press("Enter");
  await page.getByRole("gridcell", { name: "Ida" }).waitFor();
  emulator.tables["users"]?.update(1, { name: "Eve" });
  await page.getByRole("button", { name: "Undo: name of row 1" }).press("Enter");
  await page.getByRole("alert").getByText('somebody has changed "name" since, to "Eve"').waitFor();
  await page.getByRole("gridcell", { name: "Eve" }).waitFor();
  await expectShown(page.getByRole("button", { name: "Undo", exact: true }));
});

const company = {
  tables: {
    teams: { primaryKey: "id", columns: { id: "INTEGER" }, rows: [{ id: 1 }, { id: 2 }] },
    users: {
      primaryKey: "id",
      columns: { id: "INTEGER", team: { type: "INTEGER", references: "teams.id" }, photo: "BLOB" },
      rows: [1, 2, 3].map((id) => ({ id, team: 1 + (id % 2), photo: null })),
    },
  },
} as const;

test("leads along foreign keys, and back", async () => {
  await using opened = await openConsole({ options: { fixtures: company } });
  const { page } = opened;
  await opened.show("tables/users");
  await page.getByRole("gridcell", { name: "1", exact: true }).nth(0).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("/rest/teams?id=2").waitFor();
  await page.getByText("1 row", { exact: true }).waitFor();
  await page.goBack();
  await page.getByText("/rest/users", { exact: false }).first().waitFor();
  await expectShown(page.getByText("3 rows", { exact: true }));
});

/** Milliseconds that a step takes. */
async function timeOf(step: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await step();
  return performance.now() - started;
}

test("opens 100,000 rows, and reads what is scrolled to and no more", async () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => ({ id: at + 1, name: `User ${at + 1}` }));
  const columns = { id: "INTEGER", name: "TEXT" };
  const fixtures = {
    AUTHORIZATION_TOKEN: "local-token",
    tables: { users: { primaryKey: "id", columns, rows } },
  };
  await using opened = await openConsole({ options: { fixtures } });
  const { page, emulator, server } = opened;
  const open = await timeOf(async () => {
    await opened.show("tables/users");
    await page.getByRole("gridcell", { name: "User 1", exact: true }).waitFor();
  });
  const end = await timeOf(async () => {
    await page.getByRole("gridcell", { name: "User 1", exact: true }).focus();
    await page.keyboard.press("Control+End");
    await page.locator("td.cell:focus", { hasText: "User 100000" }).waitFor();
  });
  // A screen further with each frame, as a wheel does.
  const frames: readonly number[] = await page.evaluate(`(async () => {
    const region = document.querySelector(".grid"), times = [];
    region.scrollTop = 0;
    for (let last = performance.now(), at = 0; at < 120; at++) {
      region.scrollTop += 400;
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times.sort((a, b) => a - b);
  })()`);
  const asked = emulator.journal.list({ method: "GET" }).map(({ query }) => query);
  process.stdout.write(
    `100,000 rows: opened in ${open.toFixed(0)} ms, at the end in ${end.toFixed(0)} ms, ${frames[60]?.toFixed(1)} ms for a frame of scrolling\n`,
  );
  expect(asked.every((query) => /^limit=[234]00/.test(query))).toBe(true);
  expect(await page.locator("tbody tr").count()).toBeLessThan(100);
  await page.locator(".grid").evaluate((region) => region.scrollTo({ top: 0 }));
  await page.getByRole("gridcell", { name: "User 3", exact: true }).waitFor();
  const before = emulator.journal.list({ method: "GET" }).length;
  const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
  const body = JSON.stringify({ name: "Somebody else" });
  await fetch(`${server.url}/rest/users/3`, { method: "PATCH", headers, body });
  await page.getByRole("gridcell", { name: "Somebody else" }).waitFor();
  // Twice where the write comes while the page is being read.
  expect(emulator.journal.list({ method: "GET" }).length - before).toBeLessThanOrEqual(2);
}, 240_000);

test("names rows of several key columns, and keeps numbers beyond doubles", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/stock");
  await page.getByRole("gridcell", { name: "9007199254740993" }).press("Enter");
  await page.getByLabel("Value of count").fill("9007199254740995");
  await page.keyboard.press("Enter");
  await page.getByRole("gridcell", { name: "9007199254740995" }).waitFor();
  const [entry] = emulator.journal.list({ method: "PATCH" });
  expect(entry).toMatchObject({ path: "/rest/stock/a%2Fb,x%2Cy", status: 200 });
});

test("does not claim that there are no rows when the server is gone", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/users");
  await page.route(/\/rest\//, (route) => route.fulfill({ status: 500, body: "gone" }));
  await page.getByRole("button", { name: "Reload" }).press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await page.getByText(/no rows/i).count()).toBe(0);
});

test("tells beside the field of a form why a row was refused, where it can be seen", async () => {
  await using opened = await openConsole({ context: { viewport: { width: 800, height: 500 } } });
  const { page } = opened;
  await opened.show("tables/users");
  await page.getByRole("button", { name: "Add row" }).press("Enter");
  await page.getByLabel("Value of city").fill("Rome");
  await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
  const field = page.locator(".field", { has: page.getByLabel("Value of name") });
  const alert = field.getByRole("alert");
  await alert.getByText("NOT NULL").waitFor();
  expect(await page.getByRole("alert").count()).toBe(1);
  const box = await alert.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(500);
});

test("shows what code, the control API and a reset write, and uses up no fault for it", async () => {
  await using opened = await openConsole();
  const { page, emulator, server } = opened;
  emulator.faults.add({ status: 503, times: 1 });
  await opened.show("tables/users");
  emulator.tables["users"]?.update(2, { name: "Hedy" });
  await page.getByRole("gridcell", { name: "Hedy" }).waitFor();
  const url = `${server.url}/__backlot/tables/users`;
  const body = JSON.stringify([1, 2, 3].map((id) => ({ id, name: `user ${id}` })));
  const headers = { "content-type": "application/json" };
  expect((await fetch(url, { method: "PUT", headers, body })).status).toBe(204);
  await page.getByRole("gridcell", { name: "user 2" }).waitFor();
  expect(emulator.faults.list()).toMatchObject([{ id: "fault 1", left: 1 }]);
  emulator.reset();
  await page.getByRole("gridcell", { name: "Grace" }).waitFor();
});

test("does not offer to change rows without a key", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/log");
  await page.getByRole("gridcell", { name: "hello" }).press("Enter");
  await page.getByText("has no primary key").waitFor();
  expect(await page.getByRole("button", { name: /^(Save|Delete)/ }).count()).toBe(0);
  expect(await page.getByRole("checkbox").count()).toBe(0);
});

test("takes the tables back to the fixtures", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  emulator.tables["users"]?.delete(1);
  await page.getByRole("gridcell", { name: "Ada" }).waitFor({ state: "detached" });
  const reset = page.getByRole("button", { name: "Reset tables" });
  await reset.press("Enter");
  await page.getByRole("button", { name: "Really?" }).press("Enter");
  await page.getByRole("gridcell", { name: "Ada" }).waitFor();
  expect(emulator.tables["users"]?.size).toBe(3);
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
