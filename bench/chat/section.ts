/** Whole chat requests: the CPU time of a server beside that of the least that gives the same bytes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../cpu-time.ts";
import { Child } from "../process/child.ts";
import { type Goals, printSheet, showFigure } from "../report.ts";
import type { ServerProcess } from "../requests/server-process.ts";
import type { Setup } from "../setup.ts";
import {
  chunkLength,
  jsonQuestion,
  type Question,
  requestBody,
  slowQuestion,
  streamQuestion,
} from "./chat-fixtures.ts";
import type { chatGeneratorCalls, Lateness } from "./chat-generator.ts";
import { ChatServers, type Generator } from "./servers.ts";

/** How a question is asked: so many times a round, so many at a time. */
interface Load {
  readonly question: Question;
  readonly count: number;
  readonly connections: number;
  readonly spreadMs: number;
  readonly rounds: number;
  /** Requests before anything is measured: V8 goes on compiling for that long. */
  readonly warmUp: number;
}

const loads = {
  json: {
    question: jsonQuestion,
    count: 1000,
    connections: 8,
    spreadMs: 0,
    rounds: 9,
    warmUp: 20_000,
  },
  stream: {
    question: streamQuestion,
    count: 256,
    connections: 32,
    spreadMs: 250,
    rounds: 5,
    warmUp: 1024,
  },
  slow: {
    question: slowQuestion,
    count: 2000,
    connections: 2000,
    spreadMs: 3000,
    rounds: 3,
    warmUp: 4000,
  },
} as const satisfies Record<string, Load>;

interface Timed {
  /** Microseconds of CPU for one request. */
  readonly cpu: number;
  readonly late: Lateness;
}

type Servers = Readonly<Record<"bare" | "backlot" | "other", ServerProcess | undefined>>;

export async function benchChat({ goals }: Pick<Setup, "goals">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const generator = new Child<typeof chatGeneratorCalls>("chat/chat-generator.ts");
  const servers = new ChatServers(folder);
  try {
    await benchAnswers({ servers, generator, goals });
  } finally {
    await generator.close();
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Bench {
  readonly servers: ChatServers;
  readonly generator: Generator;
  readonly goals: Goals;
}

async function benchAnswers({ servers, generator, goals }: Bench): Promise<void> {
  const backlot = await servers.backlot(10);
  const many = await servers.backlot(1000);
  const aimock = await servers.aimock(10);
  const time = async (load: Load, other: ServerProcess | undefined): Promise<Found> => {
    const bare = await servers.bare(load.question, backlot, generator);
    return timeLoad(load, { bare, backlot, other }, generator);
  };
  const json = await time(loads.json, aimock);
  const stream = await time(loads.stream, aimock);
  const slow = await time(loads.slow, undefined);
  // One that has done nothing else yet, as the other has not: after streams a server takes longer.
  const few = await servers.backlot(10);
  const scripts = await timeLoad(
    loads.json,
    { bare: few, backlot: many, other: undefined },
    generator,
  );
  const row = (
    label: string,
    goal: number,
    { bare, own, other, ratio, ratioOfOther }: Found,
  ): string[] => [
    label,
    ...[bare, own, ratio, other, ratioOfOther].map(showFigure),
    goals.judge({
      name: `chat, ${label}, times bare`,
      value: ratio,
      goal,
      is: "atMost",
      unit: "×",
    }),
  ];
  printSheet({
    title: "Chat: microseconds of the server's CPU for a request",
    head: ["", "bare", "backlot start", "× bare", "aimock", "× bare", "goal"],
    rows: [
      row("JSON", 1.5, json),
      row("stream of 50 chunks, 5 ms apart, a write each", 1.25, stream),
      row("2,000 streams at a time, 30 chunks each, 10 a second", 1.2, slow),
      row("JSON with 1,000 scripts; bare: with 10", 3, scripts),
    ],
    notes: ["bare: node:http that writes the same bytes, with one timer for all streams."],
  });
  printLateness(slow, goals);
}

function printLateness({ late, lateBare }: Found, goals: Goals): void {
  const value = late.p99;
  const judged = goals.judge({
    name: "chat, last of 2,000 streams, 99th percentile",
    value,
    goal: 25,
    is: "atMost",
    unit: "ms",
  });
  printSheet({
    title: "2,000 streams at a time: milliseconds that the end comes late",
    head: ["", "median", "99th percentile", "goal"],
    rows: [
      ["bare node:http", showFigure(lateBare.median), showFigure(lateBare.p99)],
      ["backlot start", showFigure(late.median), showFigure(late.p99), judged],
    ],
    notes: ["Counted from the head of each answer, by the client."],
  });
}

/** Medians of all rounds; of ratios, over those within a round. */
interface Found {
  readonly bare: number;
  readonly own: number;
  readonly other: number;
  readonly ratio: number;
  readonly ratioOfOther: number;
  readonly late: Lateness;
  readonly lateBare: Lateness;
}

/** Each server has its turn, round after round. The first round warms up. */
async function timeLoad(load: Load, servers: Servers, generator: Generator): Promise<Found> {
  const rounds: Record<keyof Servers, Timed>[] = [];
  for (let round = -1; round < load.rounds; round++) {
    const count = round < 0 ? load.warmUp : load.count;
    const time = (server: ServerProcess | undefined): Promise<Timed> =>
      timeServer(server, { ...load, count }, generator);
    const found = {
      bare: await time(servers.bare),
      backlot: await time(servers.backlot),
      other: await time(servers.other),
    };
    if (round >= 0) rounds.push(found);
  }
  const over = (value: (round: Record<keyof Servers, Timed>) => number): number =>
    median(rounds.map(value));
  const lateness = (of: keyof Servers): Lateness => ({
    median: over((round) => round[of].late.median),
    p99: over((round) => round[of].late.p99),
  });
  return {
    bare: over(({ bare }) => bare.cpu),
    own: over(({ backlot }) => backlot.cpu),
    other: over(({ other }) => other.cpu),
    ratio: over(({ bare, backlot }) => backlot.cpu / bare.cpu),
    ratioOfOther: over(({ bare, other }) => other.cpu / bare.cpu),
    late: lateness("backlot"),
    lateBare: lateness("bare"),
  };
}

const notTimed: Timed = { cpu: NaN, late: { median: NaN, p99: NaN } };

async function timeServer(
  server: ServerProcess | undefined,
  { question, count, connections, spreadMs }: Load,
  generator: Generator,
): Promise<Timed> {
  if (server === undefined) return notTimed;
  const body = requestBody(question);
  const { stream, gapMs, content } = question;
  const plannedMs = stream ? (content.length / chunkLength - 1) * gapMs : 0;
  const before = await server.cpuTime();
  const late = await generator.call("send", {
    port: server.port,
    body,
    count,
    connections,
    spreadMs,
    plannedMs,
  });
  return { cpu: ((await server.cpuTime()) - before) / count, late };
}
