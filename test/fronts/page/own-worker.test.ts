import { expect, test } from "vitest";
import { asking } from "../../support/contract-chats.ts";
import { getIn, openOwnPage, ownRows, startOwn } from "../../support/browser/own-page.ts";
import { leaveStream } from "../../support/browser/leave-stream.ts";
import { stopWorkers } from "../../support/browser/stop-workers.ts";

/** As much of a page's globals as there is need for: tests are compiled without their types. */
interface OwnWindow {
  readonly navigator: {
    readonly serviceWorker: {
      readonly register: (url: string) => Promise<unknown>;
      readonly ready: Promise<unknown>;
      readonly controller: unknown;
    };
  };
}

test("answers by fixtures at an address, without any code in the page", async () => {
  const page = await openOwnPage();
  await page.evaluate(async () => {
    const { serviceWorker } = (globalThis as unknown as OwnWindow).navigator;
    await serviceWorker.register("/backlot-worker.js?fixtures=/own/fixtures.json");
    await serviceWorker.ready;
    while (serviceWorker.controller === null) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  const key = { headers: { authorization: "Bearer local-token" } };
  expect(await getIn(page, "/rest/users", key)).toBe(ownRows);
  await stopWorkers(page);
  expect(await getIn(page, "/rest/users", key)).toBe(ownRows);
  await page.reload();
  expect(await getIn(page, "/rest/users", key)).toBe(ownRows);
});

const hour = 3_600_000;

test("stops the source of a stream when the page aborts", async () => {
  const page = await openOwnPage();
  const chats = [{ name: "slow", reply: { chunks: ["one", { wait: hour }, "two"] } }];
  const own = { models: [{ id: "atlas" }], chats };
  await startOwn(page, { fixtures: own, script: "backlot-worker.js" });
  const body = JSON.stringify(asking("Hi", { stream: true }));
  const leaving = { how: "abort", body, count: 1 } as const;
  expect(await page.evaluate(leaveStream, leaving)).toBeLessThan(hour);
});

test("brings each chunk when it is due, and not with a later one", async () => {
  const page = await openOwnPage();
  const words = ["one", "two", "three"];
  const chunks = words.flatMap((word) => [word, { wait: 80 }]);
  await startOwn(page, {
    fixtures: { models: [{ id: "atlas" }], chats: [{ name: "s", reply: { chunks } }] },
  });
  const reads = await page.evaluate(
    async (body) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch("/v1/chat/completions", { method: "POST", body, headers });
      const texts: string[] = [];
      for await (const chunk of response.body ?? []) texts.push(new TextDecoder().decode(chunk));
      return texts;
    },
    JSON.stringify(asking("Hi", { stream: true })),
  );
  const together = reads.map((text) => words.filter((word) => text.includes(`"${word}"`)));
  expect(together.filter((found) => found.length > 0)).toEqual([["one"], ["two"], ["three"]]);
});
