/** Requests of a page in Chromium: through service workers, and to a server on this machine. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { bundleWorker } from "../../scripts/worker/bundle-worker.ts";
import { bundleFor } from "../../test/support/browser/bundle.ts";
import { findChromium } from "../../test/support/browser/chromium.ts";
import { serveSite } from "../../test/support/browser/serve-site.ts";
import { mswScript, pageRunning } from "../../test/support/browser/site-files.ts";
import { median } from "../cpu-time.ts";
import { writeFixtures } from "../items-file.ts";
import { categoryOf, mix } from "../items.ts";
import { printSheet, showCount, showFigure } from "../report.ts";
import { ServerProcess } from "../requests/server-process.ts";
import type { Setup } from "../setup.ts";
import type { BenchPage } from "./page.ts";

const command = new URL("../../dist/command/backlot.js", import.meta.url);
const rows = 100_000;
const rounds = 9;
const requestsPerRound = 60;

type Contender = Exclude<keyof BenchPage, "time">;
const contenders: readonly Contender[] = ["own worker", "msw worker", "msw, @msw/data"];
/** It scans all rows for each request. */
const slow: ReadonlySet<string> = new Set<Contender>(["msw, @msw/data"]);

const kinds = ["page of 10", "GET by key"] as const;
type Kind = (typeof kinds)[number];

function addresses(kind: Kind, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    kind === "page of 10"
      ? `/rest/items?category=${categoryOf(mix(at, 91))}&sort_by=price&limit=10`
      : `/rest/items/${1 + (mix(at, 92) % rows)}`,
  );
}

export async function benchBrowser({ goals }: Pick<Setup, "goals">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const file = join(folder, "items.json");
  writeFixtures(file, rows);
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
  });
  const site = await serveSite(await siteFiles());
  const server = await ServerProcess.start(command, (port) => [
    "start",
    file,
    "--port",
    String(port),
    "--no-auth",
    "--log",
    "silent",
  ]);
  try {
    const pages = new Map<Contender, Page>();
    for (const name of contenders) {
      pages.set(
        name,
        await openPage(browser, site.origin, { name, fixtures: readFileSync(file, "utf8") }),
      );
    }
    const loopback = `http://127.0.0.1:${server.port}`;
    const table = [];
    for (const kind of kinds) {
      const asked =
        kind === "page of 10" ? contenders : contenders.filter((name) => !slow.has(name));
      table.push([kind, ...(await timeKind(kind, { pages, asked, loopback, goals }))]);
    }
    printSheet({
      title: `A page's requests, ${showCount(rows)} rows: milliseconds until the body is read, median`,
      head: ["", "loopback", ...contenders, "own ÷ loopback", "goal", "of the page"],
      rows: table,
      notes: [
        "Loopback: the same page asks backlot start. Each asks in its turn, one request after the other.",
        "@msw/data: equality alone; its rows are sorted and cut by hand, since it pages before it sorts.",
      ],
    });
  } finally {
    await browser.close();
    await site.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function siteFiles(): ReturnType<typeof bundleFor> {
  const [bundle, worker, msw] = await Promise.all([
    bundleFor(["bench/browser/page.ts"]),
    bundleWorker(),
    mswScript(),
  ]);
  return new Map([
    ...bundle,
    ...worker,
    ["/index.html", pageRunning("/page.js")] as const,
    ["/mockServiceWorker.js", msw] as const,
  ]);
}

/** A page in a context of its own, since one worker has all pages of a context. */
async function openPage(
  browser: Browser,
  origin: string,
  { name, fixtures }: { readonly name: Contender; readonly fixtures: string },
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => globalThis.bench !== undefined);
  await page.evaluate(([which, text]) => globalThis.bench?.[which](text), [
    name,
    fixtures,
  ] as const);
  return page;
}

interface Asked {
  readonly pages: ReadonlyMap<Contender, Page>;
  readonly asked: readonly Contender[];
  readonly loopback: string;
  readonly goals: Setup["goals"];
}

async function timeKind(kind: Kind, { pages, asked, loopback, goals }: Asked): Promise<string[]> {
  const took = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of asked) {
      const paths = addresses(kind, slow.has(name) ? 3 : requestsPerRound);
      await note(took, name, { page: pages.get(name), paths, isWarm: round > 0 });
      if (name !== "own worker") continue;
      const others = paths.map((path) => loopback + path);
      await note(took, "loopback", { page: pages.get(name), paths: others, isWarm: round > 0 });
    }
  }
  const of = (name: string): number => median(took.get(name) ?? []);
  const own = of("own worker");
  const ratio = own / of("loopback");
  const label = `in Chromium, ${kind}`;
  return [
    showFigure(of("loopback")),
    ...contenders.map((name) => showFigure(took.has(name) ? of(name) : undefined)),
    showFigure(ratio),
    goals.judge({
      name: `${label}: own worker, times loopback`,
      value: ratio,
      goal: 1,
      is: "atMost",
      unit: "×",
    }),
    kind === "page of 10"
      ? goals.judge({ name: `${label}, own worker`, value: own, goal: 5, is: "atMost", unit: "ms" })
      : "",
  ];
}

interface Series {
  readonly page: Page | undefined;
  readonly paths: readonly string[];
  readonly isWarm: boolean;
}

async function note(
  took: Map<string, number[]>,
  name: string,
  { page, paths, isWarm }: Series,
): Promise<void> {
  const times = (await page?.evaluate((asked) => globalThis.bench?.time(asked), paths)) ?? [];
  if (isWarm) took.set(name, [...(took.get(name) ?? []), ...times]);
}
