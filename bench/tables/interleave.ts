/** Times several contenders in turn, round after round, so that a disturbance meets all of them. */
import type { ContenderName } from "../contenders/all.ts";

/** Microseconds of CPU that all rounds of one operation may take. */
const allRounds = 2_500_000;
/** With 7 the median of writes moved by a quarter from run to run on a shared machine; with 25 by a twentieth. */
const mostRounds = 25;
const fewestRounds = 1;

export interface Turns<Worker, Time> {
  /** Gets a worker ready, and says how long its turn will take. */
  readonly warm: (worker: Worker) => Promise<number>;
  readonly time: (worker: Worker) => Promise<Time>;
}

/** The times of each worker's turns. */
export async function interleave<Worker, Time>(
  workers: ReadonlyMap<ContenderName, Worker>,
  { warm, time }: Turns<Worker, Time>,
): Promise<ReadonlyMap<ContenderName, readonly Time[]>> {
  let roundTime = 0;
  for (const worker of workers.values()) roundTime += await warm(worker);
  const rounds = Math.max(fewestRounds, Math.min(mostRounds, Math.round(allRounds / roundTime)));
  const times = new Map([...workers.keys()].map((name): [ContenderName, Time[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, worker] of workers) times.get(name)?.push(await time(worker));
  }
  return times;
}
