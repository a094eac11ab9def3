/** Holds databases in a process of its own: one that is snapshotted and forked, and one that never is. */
import { type Database } from "../contenders/built.ts";
import { Engine, loadItems } from "../contenders/engine.ts";
import { fillSqlite, sqliteIndexes, sqliteOpener } from "../contenders/sqlite.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { cpuTime, median } from "../cpu-time.ts";
import { makeItems } from "../items-file.ts";
import { mix, priceOf } from "../items.ts";
import { indexedReads, type ReadName, type WriteName } from "../operations.ts";
import { serveCalls } from "../process/serve-calls.ts";
import { readingOf } from "../tables/reads.ts";
import { Writes, type WriteTimes } from "../tables/writes.ts";

/** What is timed by itself, in microseconds. */
export type VersionStep =
  | "snapshot"
  | "restore"
  | "fork"
  | "write"
  | "snapshotWrite"
  | "restoreWrite"
  | "forkWrite"
  | "forkWriteRead";

/** The same work on a database that was never forked and on a fork. */
export interface Pair {
  readonly never: number;
  readonly forked: number;
}

const rounds = 7;
/** Microseconds of CPU that one series of calls takes at least. */
const seriesTime = 20_000;
/** And so long calls are repeated before they count. */
const warmTime = 200_000;
/** And all series of one read together, at most, where two are no more than that. */
const allSeries = 1_000_000;
/** Writes that a fork has seen before its reads are timed. */
const writesBeforeReads = 500;

let base: Database;
let never: Engine;
let neverWrites: Writes;
let size = 0;

function warmIndexes(engine: Engine): void {
  for (const name of indexedReads) readingOf(engine, name, size)();
}

function write(database: Database, turn: number): Engine {
  const engine = new Engine(database);
  const random = mix(turn, 60);
  engine.update(1 + (random % size), { price: priceOf(random), stock: random % 500 });
  return engine;
}

/** Steps by name; each is called with a number that goes up. */
function stepsOf(database: Database): Readonly<Record<VersionStep, (turn: number) => unknown>> {
  const first = database.snapshot();
  return {
    snapshot: () => database.snapshot(),
    restore: () => database.restore(first),
    fork: () => database.fork(),
    write: (turn) => write(database, turn),
    snapshotWrite: (turn) => [database.snapshot(), write(database, turn)],
    restoreWrite: (turn) => {
      database.restore(first);
      write(database, turn);
    },
    forkWrite: (turn) => write(database.fork(), turn),
    forkWriteRead: (turn) => warmIndexes(write(database.fork(), turn)),
  };
}

function timeCalls(count: number, call: (turn: number) => unknown): number {
  const started = cpuTime();
  for (let turn = 0; turn < count; turn++) call(turn);
  return (cpuTime() - started) / count;
}

/** The median over several series of calls, each long enough to be timed. */
function timeStep(call: (turn: number) => unknown): number {
  let count = 1;
  let time = timeCalls(count, call);
  while (time * count < seriesTime && count < 1e6) {
    count *= 4;
    time = timeCalls(count, call);
  }
  const started = cpuTime();
  while (cpuTime() - started < warmTime) timeCalls(count, call);
  return median(Array.from({ length: rounds }, () => timeCalls(count, call)));
}

/** A fork of the base, whose keys are those of the base. */
function forkedWrites(): { readonly engine: Engine; readonly writes: Writes } {
  const engine = new Engine(base.fork());
  return { engine, writes: new Writes(engine, { size, settle: true }) };
}

function ratioOf(pairs: readonly Pair[]): number {
  return median(pairs.map((pair) => pair.forked / pair.never));
}

export const versionCalls = {
  make(rows: number): void {
    size = rows;
    base = loadItems(makeItems(size));
    warmIndexes(new Engine(base));
    never = new Engine(loadItems(makeItems(size)));
    warmIndexes(never);
    neverWrites = new Writes(never, { size, settle: true });
    collectGarbage();
  },

  /** Microseconds that a step takes. */
  step(name: VersionStep): number {
    return timeStep(stepsOf(base.fork())[name]);
  },

  /** How many times as long a read takes on a fork that was written to. */
  async readRatio(name: ReadName): Promise<number> {
    const { engine, writes } = forkedWrites();
    const most = Math.min(writesBeforeReads, size / 4);
    await writes.cycle(most);
    await neverWrites.cycle(most);
    const readings = { never: readingOf(never, name, size), forked: readingOf(engine, name, size) };
    let count = 1;
    let used = timeCalls(count, readings.forked);
    while (used * count < seriesTime && count < 1e6) {
      count *= 4;
      used = timeCalls(count, readings.forked);
    }
    const time = (): Pair => ({
      never: timeCalls(count, readings.never),
      forked: timeCalls(count, readings.forked),
    });
    time();
    const length = Math.max(2, Math.min(rounds, Math.round(allSeries / (used * count))));
    return ratioOf(Array.from({ length }, time));
  },

  /** How many times as long writes take right after a fork, in series of so many. */
  async writeRatios(count: number): Promise<Readonly<Record<WriteName, number>>> {
    const each: { readonly never: WriteTimes; readonly forked: WriteTimes }[] = [];
    for (let round = -3; round < rounds; round++) {
      const { writes } = forkedWrites();
      const pair = {
        never: await neverWrites.cycle(count),
        forked: await writes.cycle(count),
      };
      if (round >= 0) each.push(pair);
    }
    const ratio = (name: WriteName): number =>
      ratioOf(each.map((pair) => ({ never: pair.never[name], forked: pair.forked[name] })));
    return { insert: ratio("insert"), update: ratio("update"), delete: ratio("delete") };
  },

  /** What SQLite has for it: a copy of the whole database, and a database made of a copy. */
  async sqlite(rows: number): Promise<Readonly<Record<"snapshot" | "restore" | "fork", number>>> {
    const open = await sqliteOpener();
    const database = open();
    fillSqlite(database, makeItems(rows));
    database.exec(sqliteIndexes);
    const copy = database.serialize();
    const snapshot = median(
      Array.from({ length: 3 }, () => timeCalls(1, () => database.serialize())),
    );
    const openCopy = (): void => {
      const opened = open(copy);
      opened.prepare("SELECT * FROM items WHERE id = ?").get(1);
      opened.close();
    };
    const restore = median(Array.from({ length: 3 }, () => timeCalls(1, openCopy)));
    return { snapshot, restore, fork: snapshot + restore };
  },
};

serveCalls(versionCalls);
