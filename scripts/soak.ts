/**
 * Loads a server with everything there is and looks whether it lasts: `npm run soak -- --minutes 5 --seed 1`. It fails
 * on an error that was not planned, on memory that grows after warm-up, and on a timer or socket that is left.
 */
import { setTimeout as delay } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import { Client } from "./soak/client.ts";
import { maxSessions, rowCount } from "./soak/fixtures.ts";
import { type Load, runLoad } from "./soak/load.ts";
import { ServerProcess } from "./soak/server-process.ts";
import type { Measurement } from "./soak/server.ts";
import { allowedGrowth, heapGrowth, leftovers } from "./soak/verdict.ts";

const visitors = 16;
/** Two to a sixth of the time. */
const fewestSamples = 12;
const longestPauseMs = 10_000;
/** So long sockets have to close after the last request. */
const calmMs = 10_000;
const shownSurprises = 10;

const usage = "Usage: npm run soak [-- --minutes <n>] [--seed <n>]";
const { values, wholeNumber } = readArguments(usage, {
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
  },
});
const minutes = wholeNumber("minutes", values.minutes, { least: 1, most: 999_999 });
const seed = wholeNumber("seed", values.seed);
process.exitCode = (await soak()) ? 0 : 1;

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function show(what: string, { heapUsed, rss, resources }: Measurement): void {
  const kinds = Object.entries(resources).map(([kind, count]) => `${count} ${kind}`);
  console.log(
    `${what.padStart(6)}  heap ${megabytes(heapUsed)}  rss ${megabytes(rss)}  ${kinds.join(", ")}`,
  );
}

async function soak(): Promise<boolean> {
  const server = await ServerProcess.start(seed);
  try {
    const first = await server.measure();
    show("start", first);
    const client = new Client(server.port);
    const over = new AbortController();
    const loading = runLoad(client, { seed, visitors, signal: over.signal });
    const samples = await sample(server);
    over.abort();
    const load = await loading;
    const { requests } = client;
    await forgetAll(client);
    client.close();
    const last = await calm(server, first);
    show("end", last);
    return judge({ load, requests, first, samples, last });
  } finally {
    await server.close();
  }
}

async function sample(server: ServerProcess): Promise<readonly Measurement[]> {
  const wholeMs = minutes * 60_000;
  const pauseMs = Math.min(longestPauseMs, wholeMs / fewestSamples);
  const started = performance.now();
  const samples: Measurement[] = [];
  for (let at = pauseMs; at <= wholeMs; at += pauseMs) {
    await delay(Math.max(0, started + at - performance.now()));
    const taken = await server.measure();
    show(`${Math.round(at / 1000)} s`, taken);
    samples.push(taken);
  }
  return samples;
}

/** So that the heap at the end can be compared with the one at the start. */
async function forgetAll(client: Client): Promise<void> {
  const { text } = await client.ask({ method: "GET", path: "/__backlot/sessions" });
  for (const { id } of JSON.parse(text).sessions) {
    await client.ask({ method: "DELETE", path: `/__backlot/sessions/${id}` });
  }
  await client.ask({ method: "POST", path: "/__backlot/reset" });
}

/** Measures once nothing is left of the load, or when it should be gone. */
async function calm(server: ServerProcess, first: Measurement): Promise<Measurement> {
  const until = performance.now() + calmMs;
  const failures: string[] = [];
  for (;;) {
    const now = await server.measure();
    failures.push(...now.failures);
    if (leftovers(first, now).length === 0 || performance.now() > until) {
      return { ...now, failures };
    }
    await delay(100);
  }
}

interface Outcome {
  readonly load: Load;
  readonly requests: number;
  readonly first: Measurement;
  readonly samples: readonly Measurement[];
  readonly last: Measurement;
}

function judge({ load, requests, first, samples, last }: Outcome): boolean {
  const failures = [first, ...samples, last].flatMap((taken) => taken.failures);
  const errors = [...load.surprises, ...failures];
  const { early, late, ratio } = heapGrowth(samples);
  const left = leftovers(first, last);
  const actions = [...load.counts.values()].reduce((sum, count) => sum + count, 0);
  for (const error of errors.slice(0, shownSurprises)) console.error(`error: ${error}`);
  const counts = [...load.counts].map(([name, count]) => `${name} ${count}`);
  console.log(
    [
      "",
      `${minutes} min, seed ${seed}, ${visitors} visitors, ${maxSessions} sessions, ${rowCount} rows`,
      `${requests} requests in ${actions} actions: ${counts.toSorted().join(", ")}`,
      `errors that were not planned: ${errors.length}`,
      `heap, median of the second sixth: ${megabytes(early)}, of the last third: ${megabytes(late)}, ` +
        `ratio ${ratio.toFixed(3)} (at most ${allowedGrowth})`,
      `heap at the start: ${megabytes(first.heapUsed)}, with everything forgotten: ${megabytes(last.heapUsed)}`,
      `timers and sockets left: ${left.join(", ") || "none"}`,
    ].join("\n"),
  );
  return errors.length === 0 && ratio <= allowedGrowth && left.length === 0;
}
