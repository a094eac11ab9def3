import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { asking } from "../../support/contract-chats.ts";
import { expectShown } from "../../support/browser/console-page.ts";
import { browserContext, siteOrigin } from "../../support/browser/browser.ts";
import {
  getIn,
  openOwnPage,
  openStream,
  ownFixtures,
  ownRows,
  startOwn,
} from "../../support/browser/own-page.ts";

import { stopWorkers } from "../../support/browser/stop-workers.ts";

const hour = 3_600_000;
const templates = { parts: ["templates"] };
const faker = { parts: ["faker", "templates"] };
const faked = {
  fixtures: { ...ownFixtures, chats: [{ reply: { content: "{{ 'person.fullName' | faker }}" } }] },
};

test("answers all the while when other parts are needed, more and then fewer", async () => {
  const page = await openOwnPage();
  await startOwn(page);
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { seen });
    const poll = async (): Promise<void> => {
      seen.push((await fetch("/rest/users")).status);
      setTimeout(() => void poll(), 30);
    };
    void poll();
  });
  const seen = (): Promise<readonly number[]> => page.evaluate("globalThis.seen");
  expect(await startOwn(page, faked)).toBe("started");
  const before = (await seen()).length;
  expect(await startOwn(page)).toBe("started");
  await expect.poll(async () => (await seen()).length).toBeGreaterThan(before + 20);
  expect(new Set(await seen())).toEqual(new Set([200]));
});

test("keeps the parts that other pages need", async () => {
  const context = await browserContext();
  const [one, two] = [await openOwnPage(context), await openOwnPage(context)];
  await startOwn(one, templates);
  expect(await startOwn(two)).toBe("started");
  const body = JSON.stringify({ name: "late", reply: { content: "{{ user }}" } });
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  expect(await getIn(two, "/__backlot/chats", init)).toMatch(/^201 /);
});

test("breaks off a stream of another tab when a worker with more parts comes", async () => {
  const context = await browserContext();
  const [one, two] = [await openOwnPage(context), await openOwnPage(context)];
  const chats = [{ name: "slow", reply: { chunks: ["one", { wait: hour }, "two"] } }];
  await startOwn(one, { fixtures: { models: [{ id: "atlas" }], chats } });
  const streamEnd = await openStream(one, asking("Hi", { stream: true }));
  expect(await startOwn(two, templates)).toBe("started");
  expect(await streamEnd()).toBe("TypeError");
  expect(await getIn(one, "/rest/users")).toBe(ownRows);
});

test("starts in two tabs at once that need different parts", async () => {
  const context = await browserContext();
  const pages = [await openOwnPage(context), await openOwnPage(context)];
  const wants = [faker, templates];
  const said = await Promise.all(pages.map((page, at) => startOwn(page, wants[at])));
  expect(said).toEqual(["started", "started"]);
  for (const page of pages) expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

test("starts twice in one page that needs different parts", async () => {
  const page = await openOwnPage();
  const said = await Promise.all([startOwn(page, templates), startOwn(page, faker)]);
  expect(said).toEqual(["started", "started"]);
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

interface OtherSite {
  readonly page: Page;
  /** The weight of what it was asked for, as it would be packed. */
  readonly weights: ReadonlyMap<string, number>;
  /** From now on it has no worker, but a console of its own. */
  readonly dropWorker: () => void;
  readonly restoreWorker: () => void;
}

/** The site once more, with a policy. */
async function siteWithPolicy(policy: string): Promise<OtherSite> {
  const weights = new Map<string, number>();
  let hasWorker = true;
  const server: Server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (!hasWorker) {
        response.setHeader("content-type", "text/html");
        return void response.end("<title>The server</title>");
      }
      const found = await fetch(siteOrigin() + (request.url ?? "/"));
      const body = Buffer.from(await found.arrayBuffer());
      weights.set((request.url ?? "/").split("?")[0] ?? "/", gzipSync(body).byteLength);
      response.setHeader("content-security-policy", policy);
      response.setHeader("content-type", found.headers.get("content-type") ?? "text/plain");
      response.writeHead(found.status).end(body);
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const page = await (await browserContext()).newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/own/`);
  await page.waitForFunction(() => globalThis.remote !== undefined);
  const dropWorker = (): void => {
    hasWorker = false;
  };
  const restoreWorker = (): void => {
    hasWorker = true;
  };
  return { page, weights, dropWorker, restoreWorker };
}

const scripts = (weights: ReadonlyMap<string, number>): readonly string[] =>
  [...weights.keys()].filter((path) => path.startsWith("/backlot-worker")).toSorted();

const first = ["/backlot-worker.js", "/backlot-worker/chat.js", "/backlot-worker/start.js"];

test("fetches at most 120 KB before the first answers, and the console when it is opened", async () => {
  const { page, weights } = await siteWithPolicy(
    "default-src 'self'; script-src 'self' 'unsafe-eval'",
  );
  await startOwn(page);
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
  expect(await getIn(page, "/v1/models")).toMatch(/^200 /);
  expect(scripts(weights)).toEqual(first);
  const sum = first.reduce((all, path) => all + (weights.get(path) ?? 0), 0);
  expect(sum).toBeLessThan(120_000);
  expect(await getIn(page, "/__backlot/")).toContain("<title>Backlot</title>");
  expect(scripts(weights)).toEqual([...first, "/backlot-worker/control.js"].toSorted());
});

test("has the console without a network, once it was opened", async () => {
  const { page } = await siteWithPolicy("");
  await startOwn(page);
  expect(await getIn(page, "/__backlot/health")).toMatch(/^200 /);
  await page.context().setOffline(true);
  await stopWorkers(page);
  expect(await getIn(page, "/__backlot/health")).toMatch(/^200 /);
});

test("refuses a part of another version, and takes the right one afterwards", async () => {
  const { page, dropWorker, restoreWorker } = await siteWithPolicy("");
  await startOwn(page);
  dropWorker();
  expect(await getIn(page, "/__backlot/health")).not.toContain('"ok"');
  restoreWorker();
  expect(await getIn(page, "/__backlot/health")).toContain('"ok"');
});

test("installs everything where the site's policy lets no text run", async () => {
  const { page, weights } = await siteWithPolicy("script-src 'self'");
  expect(await startOwn(page)).toBe("started");
  expect(scripts(weights)).toEqual(
    [...first, "/backlot-worker/control.js", "/backlot-worker/more.js"].toSorted(),
  );
  await page.context().setOffline(true);
  expect(await getIn(page, "/__backlot/health")).toMatch(/^200 /);
});

test("leaves the console to a server that has taken the place of the worker's site", async () => {
  const { page, dropWorker } = await siteWithPolicy("");
  await startOwn(page);
  const address = new URL("/__backlot/#/tables", page.url()).href;
  await page.goto(address);
  await page.getByRole("heading", { name: "Tables" }).waitFor();
  dropWorker();
  await page.goto("about:blank");
  await page.goto(address);
  expect(await page.title()).toBe("The server");
  expect(page.url()).toBe(address);
  expect(await getIn(page, "/__backlot/health")).toContain("<title>The server</title>");
});

test("shows its console without a network", async () => {
  const { page } = await siteWithPolicy("");
  await startOwn(page);
  const address = new URL("/__backlot/", page.url()).href;
  await page.goto(address);
  await page.context().setOffline(true);
  await page.reload();
  await expectShown(page.getByRole("heading", { name: "Requests" }));
});
