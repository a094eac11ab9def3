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
