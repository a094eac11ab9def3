import type { Page } from "playwright-core";

/** Ends the service workers of a page, as the browser does with idle ones: their memory is lost. */
export async function stopWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await session.detach();
}
