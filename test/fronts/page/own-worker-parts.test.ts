import { expect, test } from "vitest";
import { expectShown } from "../../support/browser/console-page.ts";
import { browserContext } from "../../support/browser/browser.ts";
import {
  getIn,
  openOwnPage,
  ownFixtures,
  ownRows,
  startOwn,
} from "../../support/browser/own-page.ts";

import { siteWithPolicy } from "../../support/browser/site-with-policy.ts";

const templates = { parts: ["templates"] };
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
  await expect.poll(async () => (await seen()).length).toBeGreaterThan(before + 5);
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

const scripts = (weights: ReadonlyMap<string, number>): readonly string[] =>
  [...weights.keys()].filter((path) => path.startsWith("/backlot-worker")).toSorted();

const first = ["/backlot-worker.js", "/backlot-worker/chat.js", "/backlot-worker/start.js"];

test("fetches at most 142 KB before the first answers, and the console when it is opened", async () => {
  const { page, weights } = await siteWithPolicy(
    "default-src 'self'; script-src 'self' 'unsafe-eval'",
  );
  await startOwn(page);
  expect(await getIn(page, "/rest/users")).toBe(ownRows);
  expect(await getIn(page, "/v1/models")).toMatch(/^200 /);
  expect(scripts(weights)).toEqual(first);
  const sum = first.reduce((all, path) => all + (weights.get(path) ?? 0), 0);
  expect(sum).toBeLessThan(142_000);
  expect(await getIn(page, "/__backlot/")).toContain("<title>Backlot</title>");
  expect(scripts(weights)).toEqual([...first, "/backlot-worker/control.js"].toSorted());
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
