import type { LostNotice } from "./messages.ts";

declare const self: ServiceWorkerGlobalScope;

/** How long requests wait for pages to send their setup, in milliseconds. */
const patience = 1000;

/**
 * Asks the pages to start a worker again that has lost its setup, because the saved data is gone or of another version.
 * Requests of a page wait until the page has done so, or for a second.
 */
export class SetupRecovery {
  #isUnderway = false;
  readonly #started: Set<string> = new Set();
  readonly #waiting: Set<() => void> = new Set();

  /**
   * Whether a page may still send its setup. For an empty id, as while a page opens: whether no page has sent one
   * yet.
   */
  awaits(page: string): boolean {
    if (!this.#isUnderway) return false;
    return page === "" ? this.#started.size === 0 : !this.#started.has(page);
  }

  async begin(): Promise<void> {
    this.#isUnderway = true;
    setTimeout(() => this.#end(), patience);
    const notice: LostNotice = { backlot: "lost" };
    const pages = await self.clients.matchAll({ includeUncontrolled: true });
    // This is the method of a service worker's client, which takes no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    for (const page of pages) page.postMessage(notice);
  }

  /** Resolves when a page is no longer awaited. */
  async wait(page: string): Promise<void> {
    while (this.awaits(page)) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Called when a page has started the worker. */
  started(page: string): void {
    if (!this.#isUnderway) return;
    this.#started.add(page);
    this.#look();
  }

  #end(): void {
    this.#isUnderway = false;
    this.#look();
  }

  #look(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
