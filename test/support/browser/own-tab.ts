import type { BrowserContext } from "playwright-core";
import { RemotePage } from "./remote-page.ts";

const fixtures = {
  models: [{ id: "atlas" }],
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ name: "turns", replies: [{ content: "one" }, { content: "two" }] }],
};

/** A page of our own worker, with what tests of its state ask of it. */
export interface Tab {
  readonly remote: RemotePage;
  /** What the page gets: the status and the text. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<string>;
  readonly names: () => Promise<string>;
  readonly add: (name: string) => Promise<string>;
}

/** Opens a tab, and starts the worker in it where there are options. */
export async function openTab(context: BrowserContext, options?: object): Promise<Tab> {
  const remote = await RemotePage.open(context, "/own/");
  const tab = tabOf(remote);
  if (options !== undefined) await startTab(tab, options);
  return tab;
}

function tabOf(remote: RemotePage): Tab {
  const ask: Tab["ask"] = (method, path, body) =>
    remote.page.evaluate(
      async ([verb, asked, sent]) => {
        const headers = { "content-type": "application/json" };
        const init = sent === undefined ? {} : { body: sent, headers };
        const response = await fetch(asked, { method: verb, ...init });
        return `${response.status} ${await response.text()}`;
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
    );
  return {
    remote,
    ask,
    names: async () => {
      const text = await ask("GET", "/rest/users");
      return [...text.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name).join(" ");
    },
    add: (name) => ask("POST", "/rest/users", { name }),
  };
}

/** Starts the worker, with a table of users and a chat of two replies. */
export function startTab({ remote }: Tab, options: object): Promise<void> {
  const text = JSON.stringify({ fixtures, auth: false, script: "/backlot-worker.js", ...options });
  return remote.page.evaluate(async (given) => globalThis.remote?.open(given), text);
}
