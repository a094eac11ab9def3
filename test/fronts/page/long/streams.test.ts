import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ObserverLog } from "../../../support/observer-log.ts";
import { browserContext, siteOrigin } from "../../../support/browser/browser.ts";
import { insecureHost } from "../../../support/browser/insecure-host.ts";
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

function ask(
  { fetch }: RemotePage,
  {
    signal,
    origin = siteOrigin(),
  }: { readonly signal?: AbortSignal | undefined; readonly origin?: string } = {},
): Promise<Response> {
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  return fetch(`${origin}/v1/chat/completions`, signal === undefined ? init : { ...init, signal });
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

const waiting = { chunks: ["one", { wait: hour }, "two"] };

/** A page at an address without service workers, where msw puts its own fetch in the place of the page's. */
async function askInsecurely(signal?: AbortSignal) {
  const remote = await RemotePage.open(await browserContext());
  const insecure = siteOrigin().replace("127.0.0.1", insecureHost);
  await remote.page.goto(insecure);
  const log = await openIn(remote, waiting);
  return { log, response: await ask(remote, { signal, origin: insecure }) };
}

test("a reader fails with the abort where msw replaces fetch", async () => {
  const leaving = new AbortController();
  const { log, response } = await askInsecurely(leaving.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  leaving.abort();
  await expect(reader?.read()).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect((await log.settled(1)).aborted).toBe(true);
});

test("a stream stops where msw replaces fetch and its body is cancelled", async () => {
  const { log, response } = await askInsecurely();
  await response.body?.cancel();
  expect((await log.settled(1)).aborted).toBe(true);
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
