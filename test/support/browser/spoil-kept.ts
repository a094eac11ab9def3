import type { BrowserContext, Page } from "playwright-core";
import { openOwnPage } from "./own-page.ts";

/** A page, and what it prints. */
export interface Printing {
  readonly page: Page;
  readonly printed: readonly string[];
}

/** Opens a page of our own worker. */
export async function openPrinting(context: BrowserContext): Promise<Printing> {
  const page = await openOwnPage(context);
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  return { page, printed };
}

/** In the page: does something with all that the worker keeps. */
export const spoilings = {
  "is gone": "store.clear()",
  "is no setup": 'store.put("garbage", ["setup"])',
  "is no state": "for (const key of keys) if (key.length > 1) store.put({ x: 1 }, key)",
  "is of another version": 'store.put({ version: "0.0.1", text: "{}" }, ["setup"])',
};

/** Does that in a page. */
export function spoil(page: Page, how: string): Promise<void> {
  return page.evaluate(`new Promise((resolve) => {
    indexedDB.open("backlot /").onsuccess = ({ target: { result: db } }) => {
      const transaction = db.transaction("kept", "readwrite");
      const store = transaction.objectStore("kept");
      store.getAllKeys().onsuccess = ({ target: { result: keys } }) => { ${how} };
      transaction.oncomplete = () => { db.close(); resolve(); };
    };
  })`);
}
