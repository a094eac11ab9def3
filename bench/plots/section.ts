/** How cost grows: a plot for each thing that can grow, written to docs/performance. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  jsonQuestion,
  type Question,
  requestBody,
  slowQuestion,
  chunkLength,
} from "../chat/chat-fixtures.ts";
import type { chatGeneratorCalls } from "../chat/chat-generator.ts";
import { ChatServers, type Generator } from "../chat/servers.ts";
import { type ContenderName, contenderNames, mostRows } from "../contenders/all.ts";
import { median } from "../cpu-time.ts";
import { Child, withChild } from "../process/child.ts";
import { printSheet, showCount, showFigure } from "../report.ts";
import type { ServerProcess } from "../requests/server-process.ts";
import type { Setup } from "../setup.ts";
import type { tableCalls } from "../tables/worker.ts";
import { type Chart, drawChart, type Line } from "./chart.ts";
import type { plotCalls, Who } from "./worker.ts";

const folder = new URL("../../docs/performance/", import.meta.url);

type Available = readonly ContenderName[];

/** Measures at each size. What cannot be measured has no figure. */
async function lineOf(
  name: string,
  sizes: readonly number[],
  measure: (size: number) => Promise<number | undefined>,
): Promise<Line> {
  const points: (readonly [number, number])[] = [];
  for (const size of sizes) {
    const found = await measure(size);
    if (found !== undefined && found !== null) points.push([size, found]);
  }
  return { name, points };
}

function inWorker<Found>(use: (child: Child<typeof plotCalls>) => Promise<Found>): Promise<Found> {
  return withChild<typeof plotCalls, Found>("plots/worker.ts", use);
}

/** Series of reads of a table, and how many of them count: leaves of an index are sorted when they are first read. */
const rounds = 25;
const counted = 9;

async function rows(available: Available): Promise<Chart> {
  const sizes = [100, 1000, 10_000, 100_000, 1_000_000];
  const lines: Line[] = [];
  for (const name of contenderNames.filter((one) => available.includes(one))) {
    const page = (size: number): Promise<number> =>
      withChild<typeof tableCalls, number>("tables/worker.ts", async (child) => {
        await child.call("make", { name, size });
        await child.call("warmRead", "range");
        const found: number[] = [];
        for (let round = 0; round < rounds; round++) found.push(await child.call("read"));
        return median(found.slice(-counted));
      });
    // It pages before it sorts, so its rows are others.
    const label = name === "@msw/data" ? `${name} (wrong rows)` : nameOf(name);
    const own = sizes.filter((size) => size <= mostRows[name]);
    lines.push(await lineOf(label, own, page));
  }
  return {
    title: "Rows: a page of ten out of a range, sorted",
    x: "rows of the table",
    y: "µs of CPU",
    lines,
  };
}

function nameOf(name: ContenderName): string {
  return name === "engine" ? "Backlot" : name;
}

const whos: readonly Who[] = ["engine", "better-sqlite3", "array"];

function whosOf(available: Available): readonly Who[] {
  return whos.filter((who) => available.includes(who));
}

async function columns(available: Available): Promise<Chart> {
  const sizes = [2, 5, 10, 20, 50, 100, 200];
  const lines: Line[] = [];
  for (const who of whosOf(available)) {
    lines.push(
      await lineOf(nameOf(who), sizes, (count) =>
        inWorker(async (child) => (await child.call("columns", { who, columns: count })).page),
      ),
    );
  }
  return {
    title: "Columns: a page of ten sorted rows as JSON, of 1,000",
    x: "columns of the table",
    y: "µs of CPU",
    lines,
  };
}

async function indexes(available: Available): Promise<Chart> {
  const sizes = [0, 1, 2, 4, 8, 16];
  const lines: Line[] = [];
  for (const who of whosOf(available)) {
    lines.push(
      await lineOf(nameOf(who), who === "array" ? [0] : sizes, (count) =>
        inWorker((child) => child.call("indexes", { who, indexes: count })),
      ),
    );
  }
  return {
    title: "Indexes: an insert into 10,000 rows of 17 columns",
    x: "indexes of the table",
    y: "µs of CPU",
    lines,
  };
}

async function sessions(available: Available): Promise<Chart> {
  const sizes = [1, 10, 100, 1000, 10_000];
  const known: (readonly [number, number])[] = [];
  const begun: (readonly [number, number])[] = [];
  for (const size of sizes) {
    const found = await inWorker((child) => child.call("sessions", size));
    known.push([size, found.known]);
    begun.push([size, found.begun]);
  }
  const copies = available.includes("better-sqlite3") ? sizes.filter((size) => size <= 1000) : [];
  return {
    title: "Sessions: 1,000 rows, so many copies of them at a time",
    x: "sessions",
    y: "µs of CPU",
    lines: [
      { name: "Backlot: a new one, with a write", points: begun },
      { name: "Backlot: a write in one", points: known },
      await lineOf("better-sqlite3: a copy and a write", copies, (size) =>
        inWorker((child) => child.call("databases", size)),
      ),
    ],
  };
}

async function journal(): Promise<Chart> {
  const request: (readonly [number, number])[] = [];
  const listed: (readonly [number, number])[] = [];
  for (const size of [0, 10, 100, 1000, 10_000, 100_000]) {
    const found = await inWorker((child) => child.call("journal", size));
    console.log(`journal of ${showCount(size)}: keeps ${showCount(found.kept)}`);
    request.push([size, found.request]);
    if (size > 0) listed.push([size, found.listed]);
  }
  return {
    title: "Journal: a request when it is full",
    x: "entries that the journal may keep (journalSize)",
    y: "µs of CPU",
    lines: [
      { name: "GET by key, without a network", points: request },
      { name: "reading the whole journal, once", points: listed },
    ],
  };
}

/** A question that servers are asked, each in turn, by so many clients. */
interface Asked {
  readonly question: Question;
  readonly count: number;
  readonly connections: number;
  readonly spreadMs: number;
}

async function ask(
  server: ServerProcess,
  generator: Generator,
  { question, ...load }: Asked,
): Promise<{ readonly cpu: number; readonly p99: number }> {
  const { content, gapMs, stream } = question;
  const plannedMs = stream ? (content.length / chunkLength - 1) * gapMs : 0;
  const body = requestBody(question);
  const before = await server.cpuTime();
  const { p99 } = await generator.call("send", { port: server.port, body, plannedMs, ...load });
  return { cpu: ((await server.cpuTime()) - before) / load.count, p99 };
}

/** Uses servers of chat, and ends them. */
async function withServers<Found>(
  use: (servers: ChatServers, generator: Generator) => Promise<Found>,
): Promise<Found> {
  const place = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const generator = new Child<typeof chatGeneratorCalls>("chat/chat-generator.ts");
  const servers = new ChatServers(place);
  try {
    return await use(servers, generator);
  } finally {
    await generator.close();
    await servers.close();
    rmSync(place, { recursive: true, force: true });
  }
}

/** Microseconds of the CPU of a server for a chat. Undefined: there is no such server. */
async function chatTime(
  server: ServerProcess | undefined,
  generator: Generator,
): Promise<number | undefined> {
  if (server === undefined) return undefined;
  const asked = { question: jsonQuestion, connections: 8, spreadMs: 0 };
  await ask(server, generator, { ...asked, count: 10_000 });
  const found: number[] = [];
  for (let round = 0; round < 5; round++) {
    found.push((await ask(server, generator, { ...asked, count: 500 })).cpu);
  }
  return median(found);
}

function scripts(): Promise<Chart> {
  const sizes = [10, 100, 1000, 10_000];
  return withServers(async (servers, generator) => {
    const bare = await servers.bare(jsonQuestion, await servers.backlot(10), generator);
    return {
      title: "Scripts: a chat as JSON, which the last of them answers",
      x: "scripts",
      y: "µs of the server's CPU",
      lines: [
        await lineOf("Backlot", sizes, async (size) =>
          chatTime(await servers.backlot(size), generator),
        ),
        await lineOf("aimock", sizes, async (size) =>
          chatTime(await servers.aimock(size), generator),
        ),
        await lineOf("bare node:http", sizes, () => chatTime(bare, generator)),
      ],
    };
  });
}

/** Milliseconds by which 99 of 100 streams end late at most. Undefined: the server does not keep that many. */
async function lateness(
  server: ServerProcess | undefined,
  connections: number,
): Promise<number | undefined> {
  if (server === undefined) return undefined;
  const asked = { question: slowQuestion, connections, spreadMs: 3000, count: connections };
  // With new connections: some servers close those that rest between two sizes.
  const generator = new Child<typeof chatGeneratorCalls>("chat/chat-generator.ts");
  try {
    // A tenth of a millisecond is what clocks and sockets tell apart.
    return Math.max(0.1, (await ask(server, generator, asked)).p99);
  } catch (error) {
    console.log(`${connections} streams: ${String(error)}`);
    return undefined;
  } finally {
    await generator.close();
  }
}

function streams(): Promise<Chart> {
  const sizes = [1, 10, 100, 1000, 3000, 10_000];
  return withServers(async (servers, generator) => {
    const backlot = await servers.backlot(10);
    const bare = await servers.bare(slowQuestion, backlot, generator);
    const aimock = await servers.aimock(10);
    return {
      title: "Streams: how late the last of 30 chunks comes, 99th percentile",
      x: "streams at a time, ten chunks a second each",
      y: "milliseconds",
      lines: [
        await lineOf("Backlot", sizes, (size) => lateness(backlot, size)),
        await lineOf("aimock", sizes.slice(0, -1), (size) => lateness(aimock, size)),
        await lineOf("bare node:http", sizes, (size) => lateness(bare, size)),
      ],
    };
  });
}

/** By the name of its file. */
export const plots: Readonly<Record<string, (available: Available) => Promise<Chart>>> = {
  rows,
  columns,
  indexes,
  sessions,
  journal,
  scripts,
  streams,
};

export async function benchPlots({ available }: Pick<Setup, "available">): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, measure] of Object.entries(plots)) {
    await makePlot(name, measure, available);
  }
}

// oxlint-disable-next-line max-params
export async function makePlot(
  name: string,
  measure: (available: Available) => Promise<Chart>,
  available: Available,
): Promise<void> {
  const began = performance.now();
  const chart = await measure(available);
  writeFileSync(new URL(`${name}.svg`, folder), drawChart(chart));
  print(name, chart, (performance.now() - began) / 1000);
}

// oxlint-disable-next-line max-params
function print(name: string, { title, lines, x, y }: Chart, seconds: number): void {
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(([size]) => size)))];
  printSheet({
    title: `${title}: ${y}`,
    head: [x, ...sizes.map(showCount)],
    rows: lines.map((line) => {
      const values = new Map(line.points);
      return [line.name, ...sizes.map((size) => showFigure(values.get(size)))];
    }),
    notes: [`docs/performance/${name}.svg, in ${Math.round(seconds)} s.`],
  });
}
