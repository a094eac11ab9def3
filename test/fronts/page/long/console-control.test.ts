import { expect, test } from "vitest";
import { openConsole } from "../../../support/browser/console-page.ts";

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
