/**
 * Measures the console's view of requests with 50,000 entries: how soon it shows them, how it scrolls, and what live
 * traffic of 500 requests a second costs it. Run: tsx bench/console-requests.ts
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, type Page } from "playwright-core";
import type { JournalEntry } from "../src/core/emulator/journal/entry.ts";
import { consolePage, consolePolicy } from "../src/extras/console/console-page.ts";
import { createEmulator } from "../src/index.ts";
import { findChromium } from "../test/support/browser/chromium.ts";

const entryCount = 50_000;
const requestsPerSecond = 500;
const liveSeconds = 5;

const emulator = await createEmulator({
  fixtures: {
    tables: { users: Array.from({ length: 20 }, (_, id) => ({ id, name: `User ${id}` })) },
    chats: [
      { name: "weather", when: { user: "weather" }, reply: { content: "Sunny. ".repeat(20) } },
    ],
  },
  auth: false,
});
const local = { host: "localhost", "content-type": "application/json" };

function chat(stream: boolean): RequestInit {
  const messages = [{ role: "user", content: "What is the weather in Lisbon tomorrow?" }];
  const body = JSON.stringify({ model: "atlas-large", stream, messages });
  return { method: "POST", headers: local, body };
}

/** One of each kind, as the journal has them. */
async function samples(): Promise<readonly JournalEntry[]> {
  for (const init of [chat(true), chat(false)]) {
    await (await emulator.fetch("/v1/chat/completions", init)).text();
  }
  for (const path of ["/rest/users?id.lt=10", "/rest/users/3", "/rest/user"]) {
    await (await emulator.fetch(path, { headers: local })).text();
  }
  return emulator.journal.list();
}

const kinds = await samples();
const began = Date.now() - entryCount * 20;

function entryAt(index: number): JournalEntry {
  const kind = kinds[index % kinds.length];
  if (kind === undefined) throw new Error("There is no sample.");
  return { ...kind, id: String(index + 1), at: new Date(began + index * 20).toISOString() };
}

const entries = Array.from({ length: entryCount }, (_, index) => entryAt(index));
const setup = await (await emulator.fetch("/__backlot/console.json", { headers: local })).text();
const watchers = new Set<ServerResponse>();

/** What the page asks for, without an emulator that keeps so much. */
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  if (pathname.endsWith("/console.json")) return void response.end(setup);
  if (pathname.endsWith("/live")) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 1000\n\n");
    watchers.add(response);
    return;
  }
  if (pathname.endsWith("/requests")) {
    const end = Math.max(0, entries.length - Number(searchParams.get("skip")));
    const requests = entries.slice(Math.max(0, end - Number(searchParams.get("last"))), end);
    return void response.end(JSON.stringify({ requests }));
  }
  response.writeHead(200, {
    "content-type": "text/html",
    "content-security-policy": consolePolicy,
  });
  response.end(consolePage);
});
await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/__backlot/`;

const { executablePath, env } = await findChromium();
const browser = await chromium.launch({
  executablePath,
  env: { ...process.env, ...env },
  args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.addInitScript(`
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: "longtask", buffered: true });
  const look = () => {
    if (document.querySelector("[role=row][aria-selected]") === null) return requestAnimationFrame(look);
    requestAnimationFrame(() => { window.shownAt = performance.now(); });
  };
  requestAnimationFrame(look);
`);
await page.goto(url);
await page.locator("[role=row][aria-selected]").first().waitFor();
await page.waitForTimeout(50);
console.log(`first rows shown after ${await number("window.shownAt")} ms`);
await page.getByText(`${entryCount} of ${entryCount}`).waitFor({ timeout: 60_000 });
const allMs = await number("performance.now()");
console.log(`all ${entryCount} there after ${allMs} ms; longest task ${await longest()} ms`);

for (const pixels of [150, 1500]) {
  const frames = await framesWhile(page, `box.scrollTop += ${pixels}`, 3000);
  report(`scrolling by ${pixels} px a frame`, frames);
  console.log(`  longest task ${await longest()} ms`);
}
await page.evaluate(`document.querySelector(".requests").scrollTop = 0`);

let sent = 0;
const traffic = setInterval(() => {
  const due = Math.round(((Date.now() - startedAt) / 1000) * requestsPerSecond);
  for (; sent < due; sent++) {
    const entry = {
      ...entryAt(sent),
      id: String(entryCount + sent + 1),
      at: new Date().toISOString(),
    };
    const arrived = { ...entry, ended: "pending", status: 0, response: null };
    for (const watcher of watchers) {
      watcher.write(`event: request\ndata: ${JSON.stringify(arrived)}\n\n`);
      watcher.write(`event: request\nid: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`);
    }
  }
}, 5);
const startedAt = Date.now();
const live = await framesWhile(page, "", liveSeconds * 1000);
clearInterval(traffic);
report(`${requestsPerSecond} requests a second for ${liveSeconds} s (${sent} sent)`, live);
console.log(`  longest task ${await longest()} ms`);
for (const word of ["lisbon", "lisbon t"]) {
  const started = performance.now();
  await page.getByLabel("Find").fill(word);
  await page.getByText(/ 20\d\d\d of 50000/).waitFor();
  const ms = Math.round(performance.now() - started);
  console.log(
    `searching for "${word}" in all bodies: ${ms} ms; longest task ${await longest()} ms`,
  );
}
await browser.close();
server.closeAllConnections();
server.close();

async function number(expression: string): Promise<number> {
  return Math.round(await page.evaluate<number>(expression));
}

/** The longest task since it was asked last. */
function longest(): Promise<number> {
  return number("(() => { const ms = window.longest; window.longest = 0; return ms; })()");
}

/** The times between frames, in milliseconds, while something is done in each. */
function framesWhile(of: Page, step: string, ms: number): Promise<readonly number[]> {
  return of.evaluate(`new Promise((resolve) => {
    const box = document.querySelector(".requests");
    const frames = [];
    const started = performance.now();
    let before = started;
    const next = (now) => {
      frames.push(now - before);
      before = now;
      ${step};
      if (now - started < ${ms}) requestAnimationFrame(next);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(next);
  })`);
}

function report(what: string, frames: readonly number[]): void {
  const sorted = frames.toSorted((one, other) => one - other);
  const total = frames.reduce((sum, ms) => sum + ms, 0);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const perSecond = ((frames.length / total) * 1000).toFixed(1);
  console.log(
    `${what}: ${perSecond} frames/s; frame p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms`,
  );
}
