/** A replay beside what was recorded: how far from its recorded time each event of a stream comes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Child } from "../process/child.ts";
import { type Goals, printSheet, showFigure } from "../report.ts";
import { ServerProcess } from "../requests/server-process.ts";
import type { StreamLoad, streamCalls } from "./client.ts";

const command = new URL("../../dist/command/backlot.js", import.meta.url);

/** The turn of the first stream that counts. */
const firstTurn = 1;

/** Streams as a model sends them: 60 events, 3 to 50 ms apart. */
const load: Omit<StreamLoad, "port"> = {
  events: 60,
  count: 20,
  restMs: 20,
  gaps: [5, 12, 33, 3, 50, 20],
  from: firstTurn,
};

/** A cassette, as far as times are in it. */
interface TimedCassette {
  readonly recordings: readonly {
    readonly request: object;
    readonly answer: { readonly stream?: readonly { readonly atMs: number }[] };
  }[];
}

interface Places {
  readonly client: Child<typeof streamCalls>;
  /** The service itself. */
  readonly service: ServerProcess;
  /** Where nothing is yet. */
  readonly folder: string;
  readonly goals: Goals;
}

export async function benchArrivals({ client, service, folder, goals }: Places): Promise<void> {
  const upstream = `http://127.0.0.1:${service.port}/v1`;
  const cassettes = join(folder, "cassettes");
  const recorder = await startCommand(
    `record --mode all --upstream ${upstream} --out ${cassettes}`,
  );
  try {
    // The first one compiles.
    await client.call("ask", { ...load, port: recorder.port, count: 1, from: 0 });
    await client.call("ask", { ...load, port: recorder.port });
    await written(cassettes);
  } finally {
    await recorder.close();
  }
  const replaying = await startCommand(`start ${folder} --strict`);
  try {
    await client.call("ask", { ...load, port: replaying.port, count: 1, from: 0 });
    const replayed = await client.call("ask", { ...load, port: replaying.port });
    const lateness = replayed.flatMap(({ events }, index) => {
      const recorded = recordedTimes(cassettes, firstTurn + index) ?? [];
      return events.map((at, event) => Math.abs(at - (recorded[event] ?? Infinity)));
    });
    report(lateness, goals);
  } finally {
    await replaying.close();
  }
}

/** The words of the command without spaces in them. */
function startCommand(line: string): Promise<ServerProcess> {
  return ServerProcess.start(command, (port) => `${line} --log silent --port ${port}`.split(" "));
}

/** Waits until the last answer is on the disk. */
async function written(cassettes: string): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    if (recordedTimes(cassettes, firstTurn + load.count - 1) !== undefined) return;
    await delay(50);
  }
  throw new Error("The recorder wrote nothing within ten seconds.");
}

/** Milliseconds since the request at which each event came, in the recording of a turn. */
function recordedTimes(folder: string, turn: number): readonly number[] | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one.endsWith(".json"))) {
    const { recordings }: TimedCassette = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const found = recordings.find(({ request }) =>
      JSON.stringify(request).includes(`"Stream number ${turn}"`),
    );
    if (found !== undefined) return (found.answer.stream ?? []).map(({ atMs }) => atMs);
  }
  return undefined;
}

function report(lateness: readonly number[], goals: Goals): void {
  const sorted = lateness.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const p95 = at(0.95);
  const verdict = goals.judge({
    name: "replay, arrival of events at the 95th percentile",
    value: p95,
    goal: 5,
    is: "atMost",
    unit: "ms",
  });
  printSheet({
    title: "Replay: milliseconds between an event's recorded time and its arrival",
    head: ["", "median", "95th percentile", "goal"],
    rows: [["backlot start", showFigure(at(0.5)), showFigure(p95), verdict]],
    notes: [`${sorted.length} events, 3 to 50 ms apart, counted from the request by the client.`],
  });
}
