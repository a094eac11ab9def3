import { expect, test } from "vitest";
import { getIn, openOwnPage, ownRows } from "../../support/browser/own-page.ts";
import { stopWorkers } from "../../support/browser/stop-workers.ts";

/** As much of a page's globals as there is need for: tests are compiled without their types. */
interface OwnWindow {
  readonly navigator: {
    readonly serviceWorker: {
      readonly register: (url: string) => Promise<unknown>;
      readonly ready: Promise<unknown>;
      readonly controller: unknown;
    };
  };
}

test("answers by fixtures at an address, without any code in the page", async () => {
  const page = await openOwnPage();
  await page.evaluate(async () => {
    const { serviceWorker } = (globalThis as unknown as OwnWindow).navigator;
    await serviceWorker.register("/backlot-worker.js?fixtures=/own/fixtures.json");
    await serviceWorker.ready;
    while (serviceWorker.controller === null) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  const key = { headers: { authorization: "Bearer local-token" } };
  expect(await getIn(page, "/rest/users", key)).toBe(ownRows);
  await stopWorkers(page);
  expect(await getIn(page, "/rest/users", key)).toBe(ownRows);
  await page.reload();
  expect(await getIn(page, "/rest/users", key)).toBe(ownRows);
});
