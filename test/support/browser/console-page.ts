import type {
  BrowserContextOptions,
  ConsoleMessage,
  Locator,
  Page,
  Request as PageRequest,
} from "playwright-core";
import { expect } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/index.ts";
import { type RunningServer, startServer } from "../../../src/fronts/node/server.ts";
import { browser } from "./browser.ts";

/** A console in a browser, before a server of its own. */
export interface OpenConsole extends AsyncDisposable {
  readonly page: Page;
  readonly emulator: Emulator;
  readonly server: RunningServer;
  /** Goes to a view, such as `tables/users`. */
  readonly show: (view: string) => Promise<void>;
  /** Errors of the page, and requests to anyone but its server. */
  readonly problems: readonly string[];
}

/** What a console is opened with. */
export interface ConsoleSetting {
  readonly options?: EmulatorOptions;
  /** For a context of its own. Default: a page that other tests have used, at other origins. */
  readonly context?: BrowserContextOptions;
  /** Below the server's address. Default: the base session's console. */
  readonly path?: string;
}

/** Pages that no test uses now. Each server has an origin of its own, and so nothing of another test's. */
const idle: Page[] = [];

async function newPage(context: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await (await browser()).newContext(context)).newPage();
  // As long as what is polled for: a busy machine is slow.
  page.setDefaultTimeout(30_000);
  return page;
}

async function putBack(page: Page, stopWatching: () => void): Promise<void> {
  // A later server may get the same port.
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await page.unrouteAll();
  await page.goto("about:blank");
  stopWatching();
  idle.push(page);
}

/** Opens a console. When it is disposed, it is an error if the page had one, or asked another server. */
export async function openConsole(setting: ConsoleSetting = {}): Promise<OpenConsole> {
  const { options = {}, context, path = "/__backlot/" } = setting;
  const emulator = await createEmulator({ fixtures: shop, ...options });
  const server = await startServer(emulator, { port: 0 });
  const page = (context === undefined ? idle.pop() : undefined) ?? (await newPage(context));
  const { problems, stopWatching } = problemsOf(page, server.url);
  await page.goto(server.url + path);
  await page.locator("h1").waitFor();
  return {
    page,
    emulator,
    server,
    problems,
    show: async (view) => {
      await page.evaluate(`location.hash = "#/${view}"`);
      const [name] = view.split("/");
      await page
        .locator("h1")
        .getByText(new RegExp(`^${name}$`, "i"))
        .waitFor();
      // What the view reads at once is there.
      await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
    },
    [Symbol.asyncDispose]: async () => {
      if (context === undefined) await putBack(page, stopWatching);
      else await page.context().close();
      await server.close();
      expect(problems).toEqual([]);
    },
  };
}

/** Closes the window above the page. Until it is gone, it has the focus and the keys. */
export async function closeWindow(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Waits until something is to be seen. */
export async function expectShown(what: Locator): Promise<void> {
  await what.waitFor();
}

interface Watched {
  readonly problems: readonly string[];
  readonly stopWatching: () => void;
}

function problemsOf(page: Page, origin: string): Watched {
  const problems: string[] = [];
  const failed = (error: Error): void => void problems.push(error.message);
  const printed = (message: ConsoleMessage): void => {
    // What a reply with an error status leaves behind, in every page.
    const isOfReply = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isOfReply) problems.push(message.text());
  };
  const asked = (request: PageRequest): void => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) problems.push(`asked ${url}`);
  };
  page.on("pageerror", failed).on("console", printed).on("request", asked);
  return {
    problems,
    stopWatching: () => page.off("pageerror", failed).off("console", printed).off("request", asked),
  };
}

const shop = {
  AUTHORIZATION_TOKEN: "local-token",
  models: [{ id: "atlas-large" }],
  tables: {
    users: {
      primaryKey: "id",
      columns: {
        id: "INTEGER",
        name: { type: "TEXT", notNull: true },
        city: "TEXT",
        active: "BOOLEAN",
        tags: "JSON",
      },
      rows: [
        { id: 1, name: "Ada", city: "London", active: true, tags: ["a"] },
        { id: 2, name: "Grace", city: null, active: false, tags: null },
        { id: 3, name: "Alan", city: "London", active: null, tags: {} },
      ],
    },
    stock: {
      primaryKey: ["shop", "item"],
      columns: { shop: "TEXT", item: "TEXT", count: "INTEGER" },
      rows: [{ shop: "a/b", item: "x,y", count: "9007199254740993" }],
    },
    log: { columns: { text: "TEXT" }, rows: [{ text: "hello" }] },
  },
  chats: [
    {
      name: "slow",
      when: { user: "slow" },
      reply: { chunks: ["One, ", { wait: 400 }, "two."] },
    },
    {
      name: "endless",
      when: { user: "endless" },
      reply: { content: "Never more", fault: { kind: "stall", afterChunks: 2 } },
    },
    {
      name: "broken",
      when: { user: "broken" },
      reply: { content: "One two three", fault: { kind: "cut", afterChunks: 2 } },
    },
  ],
} as const;
