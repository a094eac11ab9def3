import type { BrowserContext, Page } from "playwright-core";
import { browserContext } from "./browser.ts";
import { RemotePage } from "./remote-page.ts";
import { stopWorkers } from "./stop-workers.ts";

/** Fixtures of one row. */
export const ownFixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

/** What a page gets of them at `/rest/users`. */
export const ownRows = '200 {"result":[{"id":1,"name":"Ada"}]}';

/** Opens a page that can start our own worker. */
export async function openOwnPage(context?: BrowserContext): Promise<Page> {
  return (await RemotePage.open(context ?? (await browserContext()), "/own/")).page;
}

/** Starts the worker in a page; gives the error's code and message where it does not. */
export function startOwn(page: Page, options: object = {}): Promise<string> {
  const script = "/backlot-worker.js";
  return page.evaluate(
    (given) =>
      globalThis.remote
        ?.open(JSON.stringify(given))
        .then(() => "started")
        .catch((error) => `${error.code}: ${error.message}`) ?? "",
    { fixtures: ownFixtures, auth: false, script, ...options },
  );
}

/**
 * Ends the worker of a page as the browser does with an idle one, which has saved what requests changed: it answers a page
 * that starts it again after that.
 */
export async function endIdle(page: Page): Promise<void> {
  const question = { backlot: "start", isAgain: true, since: 0, setup: "" };
  await page.evaluate(`new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    navigator.serviceWorker.controller.postMessage(${JSON.stringify(question)}, [port2]);
  })`);
  await stopWorkers(page);
}

/** What the page gets at a path: the status and the text. */
export function getIn(page: Page, path: string, init: RequestInit = {}): Promise<string> {
  return page.evaluate(
    async ([asked, how]) => {
      const response = await fetch(asked, how);
      return `${response.status} ${await response.text()}`;
    },
    [path, init] as const,
  );
}

/** Opens a stream that has a chunk and then waits. Gives what tells whether it has ended, and how. */
export async function openStream(page: Page, body: object): Promise<() => Promise<string>> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  await page.evaluate(async (how) => {
    const response = await fetch("/v1/chat/completions", how);
    const reader = response.body?.getReader();
    await reader?.read();
    const state = { end: "open" };
    Object.assign(globalThis, { stream: state });
    const readOn = async (): Promise<void> => {
      while ((await reader?.read())?.done === false);
      state.end = "done";
    };
    void readOn().catch((error: Error) => {
      state.end = error.name;
    });
  }, init);
  return () => page.evaluate("globalThis.stream.end");
}
