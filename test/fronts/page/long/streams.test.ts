import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ObserverLog } from "../../../support/observer-log.ts";
import { browserContext, siteOrigin } from "../../../support/browser/browser.ts";
import { insecureHost } from "../../../support/browser/insecure-host.ts";
import { leaveStream, leavings } from "../../../support/browser/leave-stream.ts";
import { RemotePage } from "../../../support/browser/remote-page.ts";
import { asking } from "../../../support/contract-chats.ts";

const minute = 60_000;
const hour = 60 * minute;
const body = JSON.stringify(asking("Hi", { stream: true }));

interface Opened {
  readonly remote: RemotePage;
  readonly log: ObserverLog;
}

/** A page in which a chat has one reply. */
async function open(reply: object, prepare?: (page: Page) => Promise<void>): Promise<Opened> {
  const remote = await RemotePage.open(await browserContext());
  if (prepare !== undefined) {
    await prepare(remote.page);
    await remote.load();
  }
  return { remote, log: await openIn(remote, reply) };
}

async function openIn(remote: RemotePage, reply: object): Promise<ObserverLog> {
  const log = new ObserverLog();
  remote.log = log;
  const fixtures = { models: [{ id: "atlas" }], chats: [{ name: "it", reply }] };
  const options = JSON.stringify({ fixtures, auth: false });
  await remote.page.evaluate((text) => globalThis.remote?.open(text), options);
  return log;
}

function ask({ fetch }: RemotePage, signal?: AbortSignal): Promise<Response> {
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  const url = `${siteOrigin()}/v1/chat/completions`;
  return fetch(url, signal === undefined ? init : { ...init, signal });
}

/** The words that a stream brings in its next chunk. */
async function nextWords(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  const text = new TextDecoder().decode(value);
  return [...text.matchAll(/"delta":\{[^}]*"content":"([^"]*)"/g)]
    .map(([, word]) => word)
    .join("|");
}

test("brings each chunk when it is due, and none before", async () => {
  const chunks = ["one", { wait: hour }, "two", { wait: hour }, "three"];
  const { remote } = await open({ chunks }, (page) => page.clock.install());
  const reader = (await ask(remote)).body?.getReader();
  if (reader === undefined) throw new Error("No body.");
  expect(await nextWords(reader)).toBe("|one");
  await remote.page.clock.runFor(hour - minute);
  const second = nextWords(reader);
  const nothing = remote.page.evaluate(() => "nothing");
  expect(await Promise.race([second, nothing])).toBe("nothing");
  await remote.page.clock.runFor(minute);
  expect(await second).toBe("two");
  await remote.page.clock.runFor(hour);
  expect(await nextWords(reader)).toBe("three");
});

const plain = { headers: { "content-type": "text/plain" } };
const waiting = { chunks: ["one", { wait: hour }, "two"] };

const givenUp = leavings.flatMap((how) => [
  { how, what: "an event stream", reply: waiting },
  { how, what: "a stream of another type", reply: { ...waiting, ...plain } },
]);

test.each(givenUp)("stops the source of $what within 50 ms of $how", async ({ how, reply }) => {
  const { remote, log } = await open(reply);
  const took: number[] = [];
  for (let count = 1; count <= 5; count += 1) {
    took.push(await remote.page.evaluate(leaveStream, { how, body, count }));
  }
  // The machine may be busy for a moment, but not five times.
  expect(Math.min(...took)).toBeLessThan(50);
  expect((await log.settled(5)).aborted).toBe(true);
});

test.each(leavings)("stops the source where msw replaces fetch, on %s", async (how) => {
  const insecure = siteOrigin().replace("127.0.0.1", insecureHost);
  const remote = await RemotePage.open(await browserContext());
  await remote.page.goto(insecure);
  const log = await openIn(remote, waiting);
  expect(await remote.page.evaluate(leaveStream, { how, body, count: 1 })).toBeLessThan(hour);
  expect((await log.settled(1)).aborted).toBe(true);
});

test("a reader fails with the abort where msw replaces fetch", async () => {
  const remote = await RemotePage.open(await browserContext());
  await remote.page.goto(siteOrigin().replace("127.0.0.1", insecureHost));
  await openIn(remote, waiting);
  const leaving = new AbortController();
  const url = `${siteOrigin().replace("127.0.0.1", insecureHost)}/v1/chat/completions`;
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", body, headers, signal: leaving.signal };
  const reader = (await remote.fetch(url, init)).body?.getReader();
  await reader?.read();
  leaving.abort();
  await expect(reader?.read()).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});

test("breaks off what is being answered when it is stopped", async () => {
  const { remote, log } = await open(waiting);
  const response = await ask(remote);
  const reader = response.body?.getReader();
  await reader?.read();
  await remote.page.evaluate(() => globalThis.remote?.close());
  await expect(reader?.read()).rejects.toThrow(TypeError);
  expect((await log.settled(1)).aborted).toBe(true);
});

test("ends requests that hang when it is stopped", async () => {
  const { remote, log } = await open({ content: "Hi", fault: { kind: "hang" } });
  const failure = ask(remote).catch((error: unknown) => error);
  // Before the emulator has it, the worker would let it through.
  const scripts = (): Promise<string> =>
    remote.page.evaluate(() => fetch("/__backlot/chats").then((response) => response.text()));
  await expect.poll(scripts).toContain('"matches":{"it":1}');
  await remote.page.evaluate(() => globalThis.remote?.close());
  expect(await failure).toBeInstanceOf(TypeError);
  expect(await log.settled(1)).toMatchObject({ aborted: true, status: 0 });
});
