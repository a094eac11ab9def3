import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ask } from "./ask.ts";
import type { BacklotProcess } from "./backlot-process.ts";
import { atMost, exactly, inTime, milliseconds } from "./figures.ts";
import { open, streamRequest } from "./raw-client.ts";
import type { Figure, Scenario, Stage } from "./scenario.ts";

const hourMs = 3_600_000;
const gapMs = 100;
const words = 40;
/** The limit of the fixtures: one request comes back each 200 ms. */
const requestsPerMinute = 300;

const jumps = [
  { name: "an hour forwards", ms: hourMs },
  { name: "an hour back", ms: -hourMs },
] as const;

const fixtures = {
  limits: { requestsPerMinute },
  chats: [
    {
      name: "even",
      when: { user: "even" },
      reply: {
        content: Array.from({ length: words }, (_, word) => `w${word}`).join(" "),
        pace: { gapMs, by: "word" },
      },
    },
    {
      name: "late",
      when: { user: "late" },
      reply: { content: "late", pace: { firstTokenMs: 2_000 } },
    },
    { name: "quick", reply: { content: "quick" } },
  ],
};

/** The time of day jumps in the server's process; timers and the monotonic clock go on, as on a real system. */
export const clock: Scenario = {
  name: "clock",
  about:
    "the system's clock jumps: streams neither freeze nor burst, limits do not lock anyone out",
  run: async (stage) => {
    const cwd = await stage.folder();
    await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures));
    const figures: Figure[] = [];
    for (const jump of jumps) {
      figures.push(...(await streamOver(jump, await stage.start({ cwd, args: ["db.json"] }))));
      figures.push(await limitOver(jump, { stage, cwd }));
      stage.tell(`the clock has jumped ${jump.name}`);
    }
    return figures;
  },
};

type Jump = (typeof jumps)[number];

/** Jumps in the midst of a stream, and of an answer that is held back. */
async function streamOver({ name, ms }: Jump, server: BacklotProcess): Promise<readonly Figure[]> {
  const url = `${server.url}/v1/chat/completions`;
  const held = timed(() => ask({ method: "POST", url, body: chatBody("late") }));
  const times = arrivals(server.port);
  await delay((words * gapMs) / 4);
  await server.jump(ms);
  const gaps = (await times).map((time, at, all) => time - (all[at - 1] ?? time)).slice(1);
  const heldMs = await held;
  await server.end("SIGTERM");
  return [
    inTime(
      `${name}: longest gap of a stream with one each ${gapMs} ms`,
      Math.max(...gaps),
      gapMs + 300,
    ),
    exactly(`${name}: its events came one by one`, gaps.length + 1 >= words ? "yes" : "no", "yes"),
    inTime(`${name}: an answer due after 2 s comes after`, heldMs, 2_500),
    exactly(`${name}: durations in the log that are none`, oddDurations(server.out), 0),
  ];
}

function oddDurations(log: string): number {
  const durations = [...log.matchAll(/"durationMs":([^,}]+)/g)].map(([, ms]) => Number(ms));
  return durations.filter((ms) => !(ms >= 0 && ms < hourMs / 2)).length;
}

function chatBody(user: string): object {
  return { model: "any", messages: [{ role: "user", content: user }] };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** When each piece of the stream came. */
async function arrivals(port: number): Promise<readonly number[]> {
  const socket = await open(port);
  const times: number[] = [];
  socket.write(streamRequest("even"));
  await new Promise<void>((resolve) => {
    socket.on("data", (bytes) => {
      times.push(performance.now());
      if (bytes.includes("[DONE]")) resolve();
    });
    socket.once("close", () => resolve());
  });
  socket.destroy();
  return times;
}

/** Uses all that a limit lets through, jumps, and looks how long it takes until something is let through again. */
async function limitOver(
  { name, ms }: Jump,
  { stage, cwd }: { readonly stage: Stage; readonly cwd: string },
): Promise<Figure> {
  const server = await stage.start({ cwd, args: ["db.json"] });
  const url = `${server.url}/v1/chat/completions`;
  const get = async (): Promise<number> =>
    (await ask({ method: "POST", url, body: chatBody("quick") })).status;
  while ((await get()) === 200);
  await server.jump(ms);
  const waited = await timed(async () => {
    const deadline = performance.now() + 10_000;
    while ((await get()) !== 200 && performance.now() < deadline) await delay(20);
  });
  await server.end("SIGTERM");
  return atMost(`${name}: a used up limit lets a request through after`, waited, {
    most: 2_000,
    show: milliseconds,
  });
}
