import { expect, test } from "vitest";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";

test("leads to every view by keyboard, and puts the focus on its heading", async () => {
  await using opened = await openConsole();
  for (const view of ["Tables", "Chats", "Scripts", "Sessions", "Faults", "Requests"]) {
    await opened.page.getByRole("navigation", { name: "Views" }).getByText(view).focus();
    await opened.page.keyboard.press("Enter");
    await expectShown(opened.page.locator("h1:focus").getByText(view));
  }
});

test("keeps what a view shows in its address: through a reload, and while another is shown", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  const links = page.getByRole("navigation", { name: "Views" });
  await links.getByText("Scripts").click();
  await page.getByLabel("Name, criterion").fill("end");
  await expect.poll(() => page.getByRole("listitem").count()).toBe(1);
  expect(new URL(page.url()).hash).toBe("#/scripts?part=end");
  await page.reload();
  await expect.poll(() => page.getByRole("listitem").count()).toBe(1);
  await links.getByText("Chats").click();
  await links.getByText("Scripts").click();
  expect(await page.getByLabel("Name, criterion").inputValue()).toBe("end");
});

test("is that of the session in its path", async () => {
  await using opened = await openConsole({ path: "/@a%20b/__backlot" });
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByText("/@a%20b/rest/users").waitFor();
  await page.getByRole("gridcell", { name: "Ada" }).press(" ");
  await page.getByRole("button", { name: "Delete 1 row" }).press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("2 rows", { exact: true }).waitFor();
  expect(emulator.session("a b").tables["users"]?.size).toBe(2);
  expect(emulator.tables["users"]?.size).toBe(3);
});

test("finds views, tables, sessions and faults by their names, with Ctrl K", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  const find = async (words: string): Promise<void> => {
    await page.locator("h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command" }).fill(words);
    await page.keyboard.press("Enter");
  };
  emulator.session("test 7").reset();
  await find("table st");
  await page.getByRole("region", { name: "The request" }).getByText("/rest/stock").waitFor();
  await find("429");
  await page.getByRole("link", { name: "1 fault active" }).press("Enter");
  await expectShown(page.getByRole("heading", { name: "fault 1" }));
  emulator.faults.clear();
  await page.getByRole("button", { name: "base session" }).press("Enter");
  await page.getByRole("option", { name: "test 7" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.locator("[aria-selected=true]", { hasText: "test 7" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/@test%207/__backlot/#/faults");
  // Before it is there, nobody hears the keys.
  await page.getByRole("button", { name: "test 7" }).waitFor();
  await find("nothing like that");
  await expectShown(page.getByText("Nothing has that name."));
});

test("asks for the control token where there is one, and keeps it for the tab", async () => {
  await using opened = await openConsole({ options: { controlToken: "open-sesame" } });
  const { page } = opened;
  await page.getByLabel("Control token").fill("sesame");
  await page.keyboard.press("Enter");
  await page.getByText("not the token").waitFor();
  await page.getByLabel("Control token").fill("open-sesame");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Requests" }).waitFor();
  await page.reload();
  await expectShown(page.getByText("live"));
});
