import { test } from "vitest";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";

test("leads to every view by keyboard, and puts the focus on its heading", async () => {
  await using opened = await openConsole();
  for (const view of ["Tables", "Chats", "Scripts", "Sessions", "Faults", "Requests"]) {
    await opened.page.getByRole("navigation", { name: "Views" }).getByText(view).focus();
    await opened.page.keyboard.press("Enter");
    await expectShown(opened.page.locator("h1:focus").getByText(view));
  }
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
