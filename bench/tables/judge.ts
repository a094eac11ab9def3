/** Nobody is timed giving wrong answers. */
import type { ContenderName } from "../contenders/all.ts";

/** Digests of answers, by the name of what was asked. */
export type Answers = Readonly<Record<string, string>>;

/** Those whose answers are right, and those that get "wrong" for a figure. */
export interface Verdict<Worker> {
  readonly right: ReadonlyMap<ContenderName, Worker>;
  readonly wrong: ReadonlyMap<ContenderName, "wrong">;
}

/** Compares the workers' answers with those of SQLite; where that is missing, with those of a plain scan. */
export async function judge<Worker>(
  workers: ReadonlyMap<ContenderName, Worker>,
  ask: (worker: Worker, name: ContenderName) => Promise<Answers>,
): Promise<Verdict<Worker>> {
  const answers = new Map<ContenderName, Answers>();
  for (const [name, worker] of workers) answers.set(name, await ask(worker, name));
  const truth = answers.get("better-sqlite3") ?? answers.get("array") ?? {};
  const right = new Map<ContenderName, Worker>();
  const wrong = new Map<ContenderName, "wrong">();
  for (const [name, worker] of workers) {
    const given = Object.entries(answers.get(name) ?? {});
    if (given.every(([asked, digest]) => truth[asked] === digest)) right.set(name, worker);
    else wrong.set(name, "wrong");
  }
  return { right, wrong };
}
