/** What a session costs: to make one, and the first that is done in it. */
import { type Line, type LinesOfSize, printBySize } from "../by-size.ts";
import { median } from "../cpu-time.ts";
import { Child } from "../process/child.ts";
import { showCount } from "../report.ts";
import type { Setup } from "../setup.ts";
import type { sessionCalls, SessionStep } from "./worker.ts";

const usualSizes: readonly number[] = [100, 100_000];
const rounds = 15;
const warmRounds = 3;
const timeGoal = { goal: 50, is: "atMost", unit: "µs" } as const;
const ratioGoal = { goal: 1.5, is: "atMost", unit: "×" } as const;
const weightGoal = { goal: 10_000, is: "atMost", unit: "bytes" } as const;

interface Step {
  readonly name: SessionStep;
  readonly label: string;
  readonly goal?: typeof timeGoal;
  readonly ratio?: typeof ratioGoal;
}

const steps: readonly Step[] = [
  { name: "made", label: "a session", goal: timeGoal, ratio: ratioGoal },
  { name: "read", label: "a session and its first read" },
  { name: "updated", label: "a session and its first update" },
  { name: "inserted", label: "a session and its first insert" },
];

type Worker = Child<typeof sessionCalls>;

export async function benchSessions({ sizes = usualSizes, goals }: Setup): Promise<void> {
  const workers: Worker[] = sizes.map(() => new Child("sessions/worker.ts"));
  try {
    for (const [at, worker] of workers.entries()) await worker.call("make", sizes[at] ?? 0);
    const times = new Map<SessionStep, readonly (readonly number[])[]>();
    for (const { name } of steps) times.set(name, await timeInTurn(workers, name));
    const columns = sizes.map((size, at): LinesOfSize => {
      const lines = steps.map((step) => timeLine(step, times.get(step.name)?.[at] ?? []));
      return { size, lines };
    });
    const title = "Sessions: microseconds of CPU for each, with four indexes";
    printBySize(title, columns, { goals });
    const [least = 0] = sizes;
    const ratios = sizes.slice(1).map((size, at): LinesOfSize => {
      const lines = steps.map((step) => ratioLine(step, times.get(step.name) ?? [], at + 1));
      return { size, lines };
    });
    printBySize(`The same, as a ratio to ${showCount(least)} rows`, ratios, { goals });
    const weights: LinesOfSize[] = [];
    for (const [at, worker] of workers.entries()) {
      weights.push({ size: sizes[at] ?? 0, lines: await weighLines(worker) });
    }
    printBySize("Sessions: bytes of the heap for each", weights, { goals });
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

/** The rounds of each worker. They take turns, so that what disturbs one disturbs the other. */
async function timeInTurn(
  workers: readonly Worker[],
  name: SessionStep,
): Promise<readonly (readonly number[])[]> {
  const found: number[][] = workers.map(() => []);
  for (let round = -warmRounds; round < rounds; round++) {
    for (const [at, worker] of workers.entries()) {
      const time = await worker.call("series", name);
      if (round >= 0) found[at]?.push(time);
    }
  }
  return found;
}

function timeLine({ label, goal }: Step, times: readonly number[]): Line {
  return { label, value: median(times), ...(goal === undefined ? {} : { goal }) };
}

function ratioLine(
  { label, ratio }: Step,
  times: readonly (readonly number[])[],
  at: number,
): Line {
  const more = times[at] ?? [];
  const value = median(more.map((time, round) => time / (times[0]?.[round] ?? NaN)));
  return { label, value, ...(ratio === undefined ? {} : { goal: ratio }) };
}

async function weighLines(worker: Worker): Promise<readonly Line[]> {
  const { made, read, updated } = await worker.call("weights");
  return [
    { label: "a session", value: made, goal: weightGoal },
    { label: "after its first read", value: read, goal: weightGoal },
    { label: "after its first update", value: updated },
  ];
}
