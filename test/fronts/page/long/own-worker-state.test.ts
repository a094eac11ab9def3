import { expect, test } from "vitest";
import { browserContext, siteOrigin } from "../../../support/browser/browser.ts";
import { endIdle } from "../../../support/browser/own-page.ts";
import { openTab, startTab } from "../../../support/browser/own-tab.ts";
import { stopWorkers } from "../../../support/browser/stop-workers.ts";

test("comes back as it was however often it is ended", async () => {
  const tab = await openTab(await browserContext(), {});
  for (const name of ["B", "C", "D"]) {
    await tab.add(name);
    await endIdle(tab.remote.page);
  }
  expect(await tab.names()).toBe("Ada B C D");
  await tab.ask("POST", "/__backlot/reset");
  await endIdle(tab.remote.page);
  expect(await tab.names()).toBe("Ada");
});

test.each([
  ["memory", "Ada", "Ada"],
  ["tab", "Ada Grace", "Ada"],
  ["origin", "Ada Grace", "Ada Grace"],
])("with state kept for %s a reload sees %s and another tab %s", async (persist, same, other) => {
  const context = await browserContext();
  const one = await openTab(context, { persist });
  await one.add("Grace");
  const two = await openTab(context, { persist });
  expect(await two.names()).toBe(other);
  await one.remote.load();
  await startTab(one, { persist });
  expect(await one.names()).toBe(same);
});

test("forgets what was kept when the fixtures are others", async () => {
  const tab = await openTab(await browserContext(), {});
  await tab.add("Grace");
  await tab.remote.load();
  await startTab(tab, { fixtures: { tables: { users: [{ id: 5, name: "Eve" }] } } });
  expect(await tab.names()).toBe("Eve");
  await startTab(tab, {});
  expect(await tab.names()).toBe("Ada");
});

test("shows the console, which sees what pages share", async () => {
  const context = await browserContext();
  const tab = await openTab(context, {});
  await tab.add("Grace");
  const page = await context.newPage();
  await page.goto(`${siteOrigin()}/__backlot/#/tables/users`);
  await page.getByText("Grace").waitFor();
  await stopWorkers(page);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText("Ada").waitFor();
  expect(await page.getByText("Grace").count()).toBe(1);
});
