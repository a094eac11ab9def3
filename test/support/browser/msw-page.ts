import type { Page } from "playwright-core";
import { browserContext } from "./browser.ts";
import { startOwn } from "./own-page.ts";
import { RemotePage } from "./remote-page.ts";

/** Opens a page that can start the worker of msw. */
export async function openMswPage(): Promise<Page> {
  return (await RemotePage.open(await browserContext())).page;
}

/** Starts the worker of msw in a page; gives the error's code and message where it does not. */
export function startMsw(page: Page, options: object = {}): Promise<string> {
  return startOwn(page, { script: undefined, ...options });
}
