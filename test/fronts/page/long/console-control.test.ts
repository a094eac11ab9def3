import { expect, test } from "vitest";
import { openConsole, expectShown } from "../../../support/browser/console-page.ts";

test("lists everything that is wrong with a fault", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("faults");
  const fault = page.getByLabel("Fault (JSON)");
  const plan = page.getByRole("button", { name: "Plan fault" });
  await fault.fill("{");
  await plan.press("Enter");
  await page.getByRole("alert").getByText("This is not JSON").waitFor();
  await fault.fill('{"times": "often", "status": 200}');
  await plan.press("Enter");
  const alert = page.getByRole("alert");
  await alert.getByText("fault_refused").waitFor();
  expect(await alert.innerText()).toMatch(/times[^]*status|status[^]*times/);
});

const headers = { authorization: "Bearer local-token" };

test("goes to sessions and forgets them", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await fetch(`${server.url}/@old/rest/users`, { headers });
  await opened.show("sessions");
  await page.getByRole("button", { name: "Forget session old" }).press("Enter");
  await page.getByRole("button", { name: "Really? session old" }).press("Enter");
  await page.getByRole("link", { name: "old" }).waitFor({ state: "detached" });
  for (const id of ["new 1", "other"]) await fetch(`${server.url}/@${id}/rest/users`, { headers });
  await page.getByRole("button", { name: "Reload" }).press("Enter");
  await page.getByRole("link", { name: "other" }).waitFor();
  await page.getByLabel("Find or open a session").fill("new");
  await page.getByRole("link", { name: "other" }).waitFor({ state: "detached" });
  await expectShown(page.getByRole("link", { name: "new 1" }));
  await page.getByLabel("Find or open a session").fill("new one");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/@new%20one/__backlot/#/sessions");
  await expectShown(page.getByText("this page shows the session “new one”"));
});
