import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { inject, onTestFinished } from "vitest";

let connected: Promise<Browser> | undefined;

/**
 * The browser of the test run, to which all files of a worker have one connection. Contexts are isolated from each
 * other: workers, storage and caches are their own.
 */
export function browser(): Promise<Browser> {
  return (connected ??= chromium.connect(inject("browser").endpoint));
}

/** A context of a test's own, which is gone after it. Its pages are tabs of one user. */
export async function browserContext(): Promise<BrowserContext> {
  const context = await (await browser()).newContext();
  onTestFinished(() => context.close());
  return context;
}

/** The origin of the site whose page does what tests tell it. */
export function siteOrigin(): string {
  return inject("browser").site;
}
