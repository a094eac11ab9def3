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

test("shows why a change was refused, and changes nothing", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByRole("gridcell", { name: "Ada" }).press("Enter");
  await page.getByLabel("Kind of name").selectOption("JSON");
  await page.getByLabel("Value of name").fill("5");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("400").waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Value of name").waitFor({ state: "detached" });
  expect(emulator.tables["users"]?.get(1)).toMatchObject({ name: "Ada" });
});

test("adds a row with what is typed, and deletes one", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByRole("button", { name: "Add row" }).press("Enter");
  await page.getByLabel("Value of name").fill("Mary");
  await page.getByLabel("Value of active").fill("true");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
  await page.getByText("1–4 of 4").waitFor();
  expect(emulator.tables["users"]?.get(4)).toMatchObject({ name: "Mary", active: true });
  await page.getByRole("button", { name: "Delete row 2" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("1–3 of 3").waitFor();
  await page.locator("td.tools button:focus").waitFor();
  expect(emulator.tables["users"]?.get(2)).toBeUndefined();
});

test("filters, sorts and pages by the query that it shows", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/users");
  await page.getByRole("button", { name: "+ Filter" }).press("Enter");
  await page.getByLabel("Column").selectOption("name");
  await page.getByLabel("Operator").selectOption("like");
  await page.getByLabel("Value").fill("a%");
  await page.getByRole("button", { name: "id", exact: true }).press("Enter");
  await page.getByRole("button", { name: "id", exact: true }).press("Enter");
  const query = "/rest/users?name.like=a%25&sort_by=id&order=desc&limit=25";
  await page.getByText(query).waitFor();
  await page.getByText("1–2", { exact: true }).waitFor();
  const names = page.locator("tbody tr td:nth-child(2)");
  await expect.poll(() => names.allInnerTexts(), { timeout: 10_000 }).toEqual(["Alan", "Ada"]);
  await page.locator("th[aria-sort=descending]").getByText("id").waitFor();
});

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

test("counts rows anew when somebody else adds one", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await opened.show("tables/users");
  await page.getByText("1–3 of 3").waitFor();
  const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
  const body = JSON.stringify({ name: "Mary", active: true });
  await fetch(`${server.url}/rest/users`, { method: "POST", headers, body });
  await page.getByRole("navigation", { name: "Tables" }).getByText("4").waitFor();
  await page.getByRole("button", { name: "Reload" }).press("Enter");
  await expectShown(page.getByText("1–4 of 4"));
});

test("does not claim that there are no rows when the server is gone", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/users");
  await page.route(/\/rest\//, (route) => route.fulfill({ status: 500, body: "gone" }));
  await page.getByRole("button", { name: "Reload" }).press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await page.getByText(/no rows/i).count()).toBe(0);
  expect(await page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
});

test("tells within the form why a row was refused, where it can be seen", async () => {
  await using opened = await openConsole({ context: { viewport: { width: 800, height: 500 } } });
  const { page } = opened;
  await opened.show("tables/users");
  await page.getByRole("button", { name: "Add row" }).press("Enter");
  await page.getByRole("button", { name: "Add", exact: true }).press("Enter");
  const alert = page.getByRole("alert");
  await alert.waitFor();
  expect(await alert.count()).toBe(1);
  const box = await alert.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(500);
});

test("does not offer to change rows without a key", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/log");
  await page.getByRole("gridcell", { name: "hello" }).press("Enter");
  await page.getByText("has no primary key").waitFor();
  expect(await page.getByRole("button", { name: /^(Save|Delete)/ }).count()).toBe(0);
});

test("takes the tables back to the fixtures", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  emulator.tables["users"]?.delete(1);
  const reset = page.getByRole("button", { name: "Reset tables" });
  await reset.press("Enter");
  await page.getByRole("button", { name: "Really?" }).press("Enter");
  await page.getByRole("gridcell", { name: "Ada" }).waitFor();
  expect(emulator.tables["users"]?.size).toBe(3);
});
