/** Five hundred clients against a service for a hundred, beside what the formula in docs/load-tests.md says. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withChild } from "../process/child.ts";
import { type Goals, printSheet, showFigure } from "../report.ts";
import { ServerProcess } from "../requests/server-process.ts";
import type { Setup } from "../setup.ts";
import type { clientCalls, Seen } from "./clients.ts";

const command = new URL("../../dist/command/backlot.js", import.meta.url);

const clients = 500;
const words = 30;
const load = { capacity: 100, queue: 200, timeFactor: 1.5, status: 503, retryAfterMs: 1000 };
const firstToken = { p50: 200, p99: 600 };
const gap = { mean: 25, stdDev: 5 };
const warmUpMs = 10_000;
const measuredMs = 60_000;

const fixtures = {
  seed: 1,
  tables: {},
  chat: { load, pace: { firstTokenMs: firstToken, gapMs: gap, by: "word" } },
  chats: [
    { name: "only", reply: { content: Array.from({ length: words }, () => "word").join(" ") } },
  ],
};
const body = JSON.stringify({
  model: "m",
  stream: true,
  messages: [{ role: "user", content: "Hi" }],
});

/** What the clients see of a service whose places are all taken and whose queue is full. */
interface Figures {
  readonly endedEachSecond: number;
  readonly refusedEachSecond: number;
  readonly queueMs: number;
  readonly firstTokenP50: number;
  readonly firstTokenP99: number;
}

function planned(): Figures {
  const { capacity, queue, timeFactor, retryAfterMs } = load;
  const { p50, p99 } = firstToken;
  // The mean of a log-normal distribution is above its median.
  const sigma = Math.log(p99 / p50) / 2.326_348;
  const meanFirst = p50 * Math.exp(sigma ** 2 / 2);
  const runsMs = timeFactor * (meanFirst + (words - 1) * gap.mean);
  const queueMs = (queue * runsMs) / capacity;
  return {
    endedEachSecond: (capacity / runsMs) * 1000,
    refusedEachSecond: ((clients - capacity - queue) / retryAfterMs) * 1000,
    queueMs,
    firstTokenP50: queueMs + timeFactor * p50,
    firstTokenP99: queueMs + timeFactor * p99,
  };
}

/** The sum and the number of the times in the queue so far, in seconds, as Prometheus reads them. */
async function queueSoFar({ port }: ServerProcess): Promise<readonly [sum: number, count: number]> {
  const response = await fetch(`http://127.0.0.1:${port}/__backlot/metrics`);
  const text = await response.text();
  const value = (name: string): number => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
  return [value("backlot_queue_seconds_sum"), value("backlot_queue_seconds_count")];
}

async function measure(server: ServerProcess): Promise<Figures> {
  const { port } = server;
  let before: readonly [number, number] = [0, 0];
  setTimeout(() => void queueSoFar(server).then((found) => (before = found)), warmUpMs);
  let after = before;
  setTimeout(() => void queueSoFar(server).then((found) => (after = found)), warmUpMs + measuredMs);
  const seen: Seen = await withChild<typeof clientCalls, Seen>("load-model/clients.ts", (child) =>
    child.call("run", { port, body, clients, warmUpMs, measuredMs }),
  );
  const sorted = seen.firstTokens.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? NaN;
  return {
    endedEachSecond: (seen.ended / measuredMs) * 1000,
    refusedEachSecond: (seen.refused / measuredMs) * 1000,
    queueMs: ((after[0] - before[0]) / (after[1] - before[1])) * 1000,
    firstTokenP50: at(0.5),
    firstTokenP99: at(0.99),
  };
}

const labels: Readonly<Record<keyof Figures, string>> = {
  endedEachSecond: "chats that end each second",
  refusedEachSecond: "refusals each second",
  queueMs: "milliseconds in the queue, the mean",
  firstTokenP50: "milliseconds to the first token, the median",
  firstTokenP99: "the same, 99th percentile",
};

export async function benchLoadModel({ goals }: Pick<Setup, "goals">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const file = join(folder, "load.json");
  writeFileSync(file, JSON.stringify(fixtures));
  const args = ["start", file, "--log", "silent", "--port"];
  const server = await ServerProcess.start(command, (port) => [...args, String(port)]);
  try {
    print(planned(), await measure(server), goals);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

// oxlint-disable-next-line max-params
function print(expected: Figures, found: Figures, goals: Goals): void {
  const rows = Object.entries(labels).map(([name, label]) => {
    const [wanted, got] = [expected, found].map((figures) => Number(Reflect.get(figures, name)));
    const value = Math.abs(100 * ((got ?? NaN) / (wanted ?? NaN) - 1));
    const judged = goals.judge({ name: label, value, goal: 5, is: "atMost", unit: "%" });
    return [label, showFigure(wanted), showFigure(got), `${value.toFixed(1)} %`, judged];
  });
  printSheet({
    title: `${clients} clients for ${measuredMs / 1000} s, capacity ${load.capacity}, queue ${load.queue}`,
    head: ["", "formula", "seen", "off by", "goal"],
    rows,
    notes: ["The time in the queue is from GET /__backlot/metrics, the rest is what clients saw."],
  });
}
