/** Whole requests: the CPU time of a server beside that of the least that gives the same bytes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../cpu-time.ts";
import { writeFixtures } from "../items-file.ts";
import { Child } from "../process/child.ts";
import { printSheet, showCount, showFigure } from "../report.ts";
import type { Setup } from "../setup.ts";
import type { Answer, generatorCalls } from "./load-generator.ts";
import { ServerProcess } from "./server-process.ts";
import { type RequestKind, requestKinds, servedRows } from "./targets.ts";

const command = new URL("../../dist/command/backlot.js", import.meta.url);
const bareServer = new URL("bare-server.mjs", import.meta.url);
const rounds = 11;
const requestsPerRound = 1000;
const warmRequests = 20_000;

type Generator = Child<typeof generatorCalls>;
type Servers = Readonly<Record<"bare" | "silent" | "logging" | "forgetful", ServerProcess>>;
/** Microseconds of CPU for one request. */
type Times = Readonly<Record<keyof Servers, number>>;

export async function benchRequests({ goals }: Pick<Setup, "goals">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const generator = new Child<typeof generatorCalls>("requests/load-generator.ts");
  const started: ServerProcess[] = [];
  try {
    const servers = await startServers(folder, { generator, started });
    const rows = [];
    for (const kind of requestKinds) {
      const times = await timeKind(kind, servers, generator);
      const { bare, silent, logging, forgetful, ratio, journalRatio } = times;
      const of = { is: "atMost", unit: "×" } as const;
      const name = `${kind.label}, times bare node:http`;
      const journal = `${kind.label}, times no journal`;
      rows.push([
        kind.label,
        ...[bare, silent, logging, ratio].map(showFigure),
        goals.judge({ ...of, name, value: ratio, goal: kind.goal }),
        ...[forgetful, journalRatio].map(showFigure),
        goals.judge({ ...of, name: journal, value: journalRatio, goal: 1.05 }),
      ]);
    }
    printSheet({
      title: `Whole requests, ${showCount(servedRows)} rows: microseconds of the server's CPU`,
      head: "|bare node:http|backlot start|with its log|× bare|goal|no journal|× no journal|goal".split(
        "|",
      ),
      rows,
      notes: ["backlot start runs with --log silent; with its log, which goes to /dev/null here."],
    });
  } finally {
    await generator.close();
    for (const server of started) await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts backlot, asks it for all answers, and starts a bare server that has them. */
async function startServers(
  folder: string,
  { generator, started }: { readonly generator: Generator; readonly started: ServerProcess[] },
): Promise<Servers> {
  const start = async (...args: Parameters<typeof ServerProcess.start>): Promise<ServerProcess> => {
    const server = await ServerProcess.start(...args);
    started.push(server);
    return server;
  };
  const fixtures = join(folder, "items.json");
  writeFixtures(fixtures, servedRows);
  const backlot = (...more: string[]): Promise<ServerProcess> =>
    start(command, (port) => ["start", fixtures, "--port", String(port), ...more]);
  const silent = await backlot("--log", "silent");
  const ask = async ({ port }: ServerProcess, { targets, body }: RequestKind) =>
    generator.call("answers", { port, targets, body, count: 0 });
  const known: (readonly [string, object])[] = [];
  const answers = new Map<RequestKind, readonly Answer[]>();
  for (const kind of requestKinds) {
    const own = await ask(silent, kind);
    answers.set(kind, own);
    const method = kind.body === undefined ? "GET" : "POST";
    known.push(...own.map((one, at) => [`${method} ${kind.targets[at]}`, bareOf(one)] as const));
  }
  const file = join(folder, "answers.json");
  writeFileSync(file, JSON.stringify(known));
  const bare = await start(bareServer, (port) => [String(port), file]);
  const forgetful = await backlot("--log", "silent", "--no-journal");
  const logging = await backlot();
  // All are asked the same before they are timed: what V8 has seen of a server makes up to a sixth of its time.
  for (const other of [bare, forgetful, logging]) {
    for (const [kind, own] of answers) checkSame(own, await ask(other, kind));
  }
  return { bare, silent, logging, forgetful };
}

/** Headers that node:http itself adds to each answer. */
const ownHeaders = new Set(["date", "connection", "keep-alive"]);

/** An answer as a bare server is told it. */
export function bareOf({ status, head, body }: Answer): object {
  const lines = head.split("\r\n").slice(1);
  const headers = lines.map((line) => line.split(/: */, 2));
  return {
    status,
    headers: headers.filter(([name = ""]) => !ownHeaders.has(name.toLowerCase())).flat(),
    body,
  };
}

function checkSame(answers: readonly Answer[], others: readonly Answer[]): void {
  for (const [index, answer] of answers.entries()) {
    const other = others[index];
    if (answer.status < 300 && answer.head === other?.head && answer.body === other.body) continue;
    throw new Error(`The servers answer differently:\n${JSON.stringify([answer, other], null, 2)}`);
  }
}

/** Medians over rounds in which each server has its turn; of ratios, over those within a round. */
async function timeKind(
  { targets, body }: RequestKind,
  servers: Servers,
  generator: Generator,
): Promise<Times & { readonly ratio: number; readonly journalRatio: number }> {
  const time = async (server: ServerProcess, count: number): Promise<number> => {
    const before = await server.cpuTime();
    await generator.call("send", { port: server.port, targets, body, count });
    return ((await server.cpuTime()) - before) / count;
  };
  const all = async (count: number): Promise<Times> => ({
    bare: await time(servers.bare, count),
    silent: await time(servers.silent, count),
    logging: await time(servers.logging, count),
    forgetful: await time(servers.forgetful, count),
  });
  await all(warmRequests);
  const found: Times[] = [];
  for (let round = 0; round < rounds; round++) found.push(await all(requestsPerRound));
  return {
    bare: median(found.map(({ bare }) => bare)),
    silent: median(found.map(({ silent }) => silent)),
    logging: median(found.map(({ logging }) => logging)),
    forgetful: median(found.map(({ forgetful }) => forgetful)),
    ratio: median(found.map(({ silent, bare }) => silent / bare)),
    journalRatio: median(found.map(({ silent, forgetful }) => silent / forgetful)),
  };
}
