import { expect, test } from "vitest";
import { asking } from "../../support/contract-chats.ts";
import { browserContext } from "../../support/browser/browser.ts";
import {
  getIn,
  openOwnPage,
  openStream,
  ownFixtures,
  ownRows,
  startOwn,
} from "../../support/browser/own-page.ts";

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
