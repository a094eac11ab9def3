import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Holding } from "./backlot-process.ts";
import {
  atMost,
  exactly,
  inTime,
  kilobytes,
  megabytes,
  milliseconds,
  percentile,
} from "./figures.ts";
import { contentOf, inParallel, open, streamRequest } from "./raw-client.ts";
import type { Figure, Scenario, Stage } from "./scenario.ts";

const wanted = 10_000;
const words = 12;
/** Between the events of a stream: so long that the first is not over before the last is open. */
const gapsMs = [4_000, 8_000, 16_000] as const;
/** What is opened first, to see how long it takes. */
const trial = 200;
/** What else a process has open. */
const otherFiles = 200;
const opening = 100;
const graceMs = 60_000;

const fixtures = {
  chats: gapsMs.map((gapMs) => ({
    name: `a piece each ${gapMs} ms`,
    when: { model: modelOf(gapMs) },
    reply: { content: "{{ messages.last.content }}", pace: { gapMs, by: "word" } },
  })),
};

function modelOf(gapMs: number): string {
  return `gap-${gapMs}`;
}

interface Streamed {
  readonly isRight: boolean;
  readonly lateMs: number;
}

/** 10,000 streams at once on one process. */
export const streams: Scenario = {
  name: "streams",
  about: "10,000 open streams on one process: all complete, in order, in time",
  run: async (stage) => {
    const count = possible(stage);
    const cwd = await stage.folder();
    await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures));
    const server = await stage.start({ cwd, args: ["db.json"] });
    const gapMs = await fittingGap(server.port, count);
    const before = await server.measure();
    const running: Promise<Streamed>[] = [];
    const begun: Promise<unknown>[] = [];
    const openMs = await openAll(server.port, count, (socket, number) => {
      begun.push(begins(socket));
      running.push(follow(socket, { number, gapMs }));
    });
    stage.tell(
      `${count} streams are open after ${milliseconds(openMs)}, with a piece each ${gapMs} ms`,
    );
    // A connection is open to its client before the server has taken it.
    await Promise.all(begun);
    const during = await server.measure();
    const results = await Promise.all(running);
    stage.tell("all streams are over");
    await delay(1_000);
    const after = await server.measure();
    return [...judge(results, count), ...judgeMemory({ before, during, after }, count)];
  },
};

/** As many as the limit of open files allows. */
function possible({ tell }: Stage): number {
  // Node raises the soft limit to the hard one by itself.
  const { stdout } = spawnSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" });
  const limit = stdout.trim() === "unlimited" ? Infinity : Number(stdout);
  if (!(limit < wanted + otherFiles)) return wanted;
  const count = limit - otherFiles;
  tell(`a process may open ${limit} files here (ulimit -Hn), so there are ${count} streams`);
  return count;
}

function textOf(number: number): string {
  return Array.from({ length: words }, (_, word) => `s${number}:${word}`).join(" ");
}

/** Opens connections, and gives how long that took in milliseconds. */
// oxlint-disable-next-line max-params
async function openAll(
  port: number,
  count: number,
  opened: (socket: Socket, number: number) => void,
): Promise<number> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const started = performance.now();
  await inParallel(numbers, opening, async (number) => opened(await open(port), number));
  return performance.now() - started;
}

/** By a trial, which also has all code loaded that is needed before the memory is looked at. */
async function fittingGap(port: number, count: number): Promise<number> {
  const sockets: Socket[] = [];
  const trialMs = await openAll(port, trial, (socket, number) => {
    socket.write(streamRequest(textOf(number), modelOf(gapsMs[0])));
    sockets.push(socket);
  });
  await delay(500);
  for (const socket of sockets) socket.destroy();
  await delay(500);
  const expectedMs = (3 * trialMs * count) / trial;
  return gapsMs.find((gapMs) => lengthOf(gapMs) > expectedMs) ?? gapsMs[2];
}

/** When the last event is due, in milliseconds. */
function lengthOf(gapMs: number): number {
  return (words - 1) * gapMs;
}

/** Resolves when something came, or nothing will. */
function begins(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once("data", resolve).once("close", resolve);
  });
}

function follow(
  socket: Socket,
  { number, gapMs }: { readonly number: number; readonly gapMs: number },
): Promise<Streamed> {
  const started = performance.now();
  const text = textOf(number);
  socket.write(streamRequest(text, modelOf(gapMs)));
  return new Promise((resolve) => {
    let all = "";
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      const isWhole = all.startsWith("HTTP/1.1 200") && all.includes("data: [DONE]\n\n");
      const isRight = isWhole && contentOf(all) === text;
      resolve({ isRight, lateMs: performance.now() - started - lengthOf(gapMs) });
    };
    const timer = setTimeout(finish, lengthOf(gapMs) + graceMs);
    socket.once("close", finish).on("data", (bytes) => {
      all += bytes.toString("latin1");
      if (all.endsWith("0\r\n\r\n")) finish();
    });
  });
}

function judge(results: readonly Streamed[], count: number): readonly Figure[] {
  const late = results.map(({ lateMs }) => lateMs);
  const complete = results.filter(({ isRight }) => isRight).length;
  const early = late.filter((ms) => ms < -1).length;
  return [
    exactly("complete, all events in order", complete, count),
    exactly("that ended before their time", early, 0),
    { what: "how late the end came, p50", figure: milliseconds(percentile(late, 50)) },
    inTime("how late the end came, p99", percentile(late, 99), 2_000),
  ];
}

interface Memory {
  readonly before: Holding;
  readonly during: Holding;
  readonly after: Holding;
}

function judgeMemory({ before, during, after }: Memory, count: number): readonly Figure[] {
  const sockets = after.resources["TCPSocketWrap"] ?? 0;
  return [
    exactly("open at the same time", during.resources["TCPSocketWrap"] ?? 0, count),
    atMost("memory of an open stream, heap", (during.heapUsed - before.heapUsed) / count, {
      most: 40_000,
      show: kilobytes,
    }),
    { what: "memory of an open stream, RSS", figure: kilobytes((during.rss - before.rss) / count) },
    { what: "RSS with all of them", figure: megabytes(during.rss) },
    atMost("heap that is left when they are over", after.heapUsed - before.heapUsed, {
      most: 10_000_000,
      show: megabytes,
    }),
    exactly("sockets that are left", sockets, 0),
  ];
}
