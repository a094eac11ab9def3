import type { Route, Page } from "playwright-core";
import { expect, test } from "vitest";
import { asking } from "../../../support/contract-chats.ts";
import { browserContext, siteOrigin } from "../../../support/browser/browser.ts";
import {
  getIn,
  openOwnPage,
  startOwn,
  openStream,
  ownRows,
} from "../../../support/browser/own-page.ts";
import { RemotePage } from "../../../support/browser/remote-page.ts";
import { insecureHost } from "../../../support/browser/insecure-host.ts";
import { stopWorkers } from "../../../support/browser/stop-workers.ts";

const badScripts: readonly (readonly [what: string, answer: object, says: string])[] = [
  ["is missing", { status: 404, body: "" }, "is answered with status 404"],
  [
    "is a page",
    { contentType: "text/html", body: "<!doctype html><title>App</title>" },
    "is an HTML page",
  ],
  ["is another one", { body: "addEventListener('fetch', () => {})" }, "is not a worker script"],
  ["is of another version", { body: "/* backlot-worker 0.0.1 */" }, "is of Backlot 0.0.1, but the"],
];

test.each(badScripts)("refuses to start when the script %s", async (_, answer, says) => {
  const page = await openOwnPage();
  const fulfil = (route: Route): Promise<void> =>
    route.fulfill({ contentType: "text/javascript", ...answer });
  await page.route("**/backlot-worker.js*", fulfil);
  const said = await startOwn(page);
  expect(said).toContain(`Cannot start the worker: ${siteOrigin()}/backlot-worker.js ${says}`);
  expect(said).toContain("npx backlot init --worker");
  await page.unroute("**/backlot-worker.js*");
  expect(await startOwn(page)).toBe("started");
});

test("refuses a scope that the script may not have, and a page beyond the scope", async () => {
  const page = await openOwnPage();
  const own = "/own/backlot-worker.js";
  const tooHigh = await startOwn(page, { script: own, scope: "/" });
  expect(tooHigh).toContain("served with the header service-worker-allowed: /");
  expect(await startOwn(page, { scope: "/elsewhere/" })).toContain(
    `it answers pages below ${siteOrigin()}/elsewhere/, but this one is ${siteOrigin()}/own/`,
  );
});

test("says which part is missing when a script needs it that comes later", async () => {
  const page = await openOwnPage();
  const body = JSON.stringify({ name: "late", reply: { content: "{{ user }}" } });
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  await startOwn(page);
  const answer = await getIn(page, "/__backlot/chats", init);
  expect(answer).toContain('startWorker({ parts: [\\"templates\\"] })');
  await startOwn(page, { parts: ["templates"] });
  expect(await getIn(page, "/__backlot/chats", init)).toMatch(/^201 /);
});

const hour = 3_600_000;

test("says that the script cannot be loaded without a network when none is installed", async () => {
  const page = await openOwnPage();
  await page.context().setOffline(true);
  expect(await startOwn(page)).toContain("/backlot-worker.js cannot be loaded");
});

const script = "/backlot-worker.js";

function say(page: Page, body: object): Promise<string> {
  const headers = { "content-type": "application/json" };
  return getIn(page, "/v1/chat/completions", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
}

test("refuses to start when the parts of the script are missing", async () => {
  const { page } = await RemotePage.open(await browserContext(), "/alone/");
  expect(await startOwn(page, { script: "backlot-worker.js" })).toContain(
    `Its parts must be at ${siteOrigin()}/alone/backlot-worker/`,
  );
});

test("refuses an address that is not secure, and says what would do", async () => {
  const page = await openOwnPage();
  await page.goto(`${siteOrigin().replace("127.0.0.1", insecureHost)}/own/`);
  expect(await startOwn(page)).toContain("only at https, localhost and 127.0.0.1");
});

test("renders templates and fakes values, also after it was ended", async () => {
  const page = await openOwnPage();
  const faked = "{{ 'person.fullName' | faker }} and {{ user }}";
  const generate = { count: 3, row: { name: "{{ 'person.fullName' | faker }}" } };
  const options = {
    fixtures: {
      models: [{ id: "atlas" }],
      tables: { people: { columns: { id: "INTEGER", name: "TEXT" }, generate } },
      chats: [{ name: "fake", reply: { content: faked } }],
    },
  };
  expect(await startOwn(page, options)).toBe("started");
  const people = await getIn(page, "/rest/people");
  expect(people).toMatch(/"id":3,"name":"\w+/);
  await stopWorkers(page);
  expect(await say(page, asking("Ada"))).toMatch(/"content":"\w.* and Ada"/);
  expect(await getIn(page, "/rest/people")).toBe(people);
});

test("breaks off what is being answered when it is stopped", async () => {
  const page = await openOwnPage();
  const chats = [{ name: "slow", reply: { chunks: ["one", { wait: hour }, "two"] } }];
  await startOwn(page, { fixtures: { models: [{ id: "atlas" }], chats } });
  const streamEnd = await openStream(page, asking("Hi", { stream: true }));
  await page.evaluate(() => globalThis.remote?.close());
  await expect.poll(streamEnd).toBe("TypeError");
});

test("starts again without a network, with the script that is installed", async () => {
  const page = await openOwnPage();
  await startOwn(page);
  await page.context().setOffline(true);
  expect(await startOwn(page)).toBe("started");
  await stopWorkers(page);
  expect(await startOwn(page)).toBe("started");
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
});

test("tells the console's address, below the worker's scope", async () => {
  const page = await openOwnPage();
  const consoleOf = (options: object): Promise<string | undefined> =>
    page.evaluate((given) => globalThis.remote?.consoleOf?.(JSON.stringify(given)), options);
  expect(await consoleOf({ script })).toBe(`${siteOrigin()}/__backlot/`);
  expect(await consoleOf({})).toBe(`${siteOrigin()}/own/__backlot/`);
  expect(await consoleOf({ persist: "tab" })).toMatch(/\/own\/@tab-[\w-]+\/__backlot\/$/);
});

const wrong: readonly (readonly [options: object, says: string])[] = [
  [{ fixtures: { models: [], tabels: {} } }, "ERR_FIXTURES_INVALID"],
  [{ speeed: 2 }, '"speed"'],
  [{ persist: "forever" }, 'Expected "memory", "tab" or "origin"'],
  [{ fixtures: { tokenizer: "o200k_base" } }, 'the tokenizer "o200k_base"'],
];

test("refuses what is wrong, and what was there goes on", async () => {
  const page = await openOwnPage();
  await startOwn(page);
  for (const [options, says] of wrong) {
    expect(await startOwn(page, options)).toContain(says);
    expect(await getIn(page, "/rest/users")).toBe(ownRows);
  }
});
