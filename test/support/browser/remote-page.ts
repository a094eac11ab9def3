import type { BrowserContext, Page } from "playwright-core";
import type { ObserverLog } from "../observer-log.ts";
import { siteOrigin } from "./browser.ts";
import type { PageMessage } from "./page/messages.ts";
import { RemoteFetch } from "./remote-fetch.ts";

/** A page of the test site, which does what it is told. */
export class RemotePage {
  readonly page: Page;
  readonly fetch: typeof fetch;
  readonly #fetch: RemoteFetch;
  readonly #path: string;
  /** Where its observer's words go. */
  log: ObserverLog | undefined;

  private constructor(page: Page, path: string) {
    this.page = page;
    this.#path = path;
    this.#fetch = new RemoteFetch(page);
    this.fetch = this.#fetch.fetch;
  }

  /** Opens the page at a path of the site. */
  static async open(context: BrowserContext, path = "/"): Promise<RemotePage> {
    const page = await context.newPage();
    const remote = new RemotePage(page, path);
    await page.exposeFunction("hear", (text: string) => {
      const told: readonly PageMessage[] = JSON.parse(text);
      for (const message of told) remote.#hear(message);
    });
    await remote.load();
    return remote;
  }

  /** Loads the page, anew where it is there already. Its script has run once it is loaded. */
  async load(origin: string = siteOrigin()): Promise<void> {
    await this.page.goto(origin + this.#path);
  }

  #hear(message: PageMessage): void {
    if (message.kind === "exchanged") this.log?.exchanged(message.record);
    else if (message.kind === "failed") this.log?.failed(new Error(message.message));
    else this.#fetch.hear(message);
  }
}
