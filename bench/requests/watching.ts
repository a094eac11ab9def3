/** What one who watches the requests costs the server, and whether all of them are told. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../cpu-time.ts";
import { writeFixtures } from "../items-file.ts";
import { Child } from "../process/child.ts";
import { type Goals, printSheet, showCount, showFigure } from "../report.ts";
import type { Setup } from "../setup.ts";
import type { generatorCalls } from "./load-generator.ts";
import { ServerProcess } from "./server-process.ts";
import { type RequestKind, requestKinds, servedRows } from "./targets.ts";

const command = new URL("../../dist/command/backlot.js", import.meta.url);
const rounds = 11;
const requestsPerRound = 2000;
const warmRequests = 10_000;
/** As a busy test run sends them. */
const perSecond = 500;
const pacedRequests = 2000;

type Generator = Child<typeof generatorCalls>;
/** Microseconds of CPU for one request. */
type Times = Readonly<Record<"alone" | "watched" | "whole", number>>;

/** The same server three times, and who asks them. */
interface WatchedServers extends Readonly<Record<keyof Times, ServerProcess>> {
  readonly generator: Generator;
}

export async function benchWatching({ goals }: Pick<Setup, "goals">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const fixtures = join(folder, "items.json");
  writeFixtures(fixtures, servedRows);
  const generator = new Child<typeof generatorCalls>("requests/load-generator.ts");
  const started: ServerProcess[] = [];
  const start = async (): Promise<ServerProcess> => {
    const args = ["start", fixtures, "--log", "silent", "--port"];
    const server = await ServerProcess.start(command, (port) => [...args, String(port)]);
    started.push(server);
    return server;
  };
  try {
    const servers = { alone: await start(), watched: await start(), whole: await start() };
    await compare({ ...servers, generator }, goals);
  } finally {
    await generator.close();
    for (const server of started) await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(servers: WatchedServers, goals: Goals): Promise<void> {
  const { generator, watched, whole } = servers;
  await generator.call("watch", { port: watched.port, query: "" });
  await generator.call("watch", { port: whole.port, query: "?bodies=true" });
  const rows: string[][] = [];
  for (const kind of requestKinds) {
    const { alone, watched: seen, whole: read, ratio } = await timeKind(kind, servers);
    const name = `${kind.label}, watched, times alone`;
    const goal = goals.judge({ name, value: ratio, goal: 1.15, is: "atMost", unit: "×" });
    rows.push([kind.label, ...[alone, seen, ratio].map(showFigure), goal, showFigure(read)]);
  }
  printSheet({
    title: "One who watches: microseconds of the server's CPU for each request",
    head: "|alone|watched|× alone|goal|watched, with bodies".split("|"),
    rows,
    notes: [await toldAt(servers, goals)],
  });
}

/** Medians over rounds in which each server has its turn; of the ratio, over those within a round. */
async function timeKind(
  { targets, body }: RequestKind,
  { generator, alone, watched, whole }: WatchedServers,
): Promise<Times & { readonly ratio: number }> {
  const time = async (server: ServerProcess, count: number): Promise<number> => {
    const before = await server.cpuTime();
    await generator.call("send", { port: server.port, targets, body, count });
    return ((await server.cpuTime()) - before) / count;
  };
  const all = async (count: number): Promise<Times> => ({
    alone: await time(alone, count),
    watched: await time(watched, count),
    whole: await time(whole, count),
  });
  await all(warmRequests);
  const found: Times[] = [];
  for (let round = 0; round < rounds; round++) found.push(await all(requestsPerRound));
  return {
    alone: median(found.map((times) => times.alone)),
    watched: median(found.map((times) => times.watched)),
    whole: median(found.map((times) => times.whole)),
    ratio: median(found.map((times) => times.watched / times.alone)),
  };
}

/** Sends requests evenly, and says how many of them the watcher was told. */
async function toldAt({ generator, watched }: WatchedServers, goals: Goals): Promise<string> {
  const [kind] = requestKinds;
  const { port } = watched;
  const sent = requestKinds.length * (warmRequests + rounds * requestsPerRound);
  const before = await generator.call("told", { port, count: sent });
  const asked = { port, targets: kind?.targets ?? [], count: pacedRequests };
  await generator.call("send", { ...asked, perSecond });
  const wanted = before.ended + pacedRequests;
  const { ended, missed } = await generator.call("told", { port, count: wanted });
  const name = `requests told at ${perSecond} a second`;
  const value = ended - before.ended;
  const goal = goals.judge({ name, value, goal: pacedRequests, is: "atLeast", unit: "requests" });
  return `At ${perSecond} requests a second it is told ${showCount(value)} of ${showCount(pacedRequests)}, and that it missed ${missed}: ${goal}.`;
}
