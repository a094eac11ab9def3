/** Weighs tables in a process of its own, which has to run with `--expose-gc`. */
import { collectGarbage } from "../collect-garbage.ts";
import { Engine, loadItems } from "../contenders/engine.ts";
import { fillSqlite, sqliteIndexes, sqliteOpener } from "../contenders/sqlite.ts";
import { makeItems } from "../items-file.ts";
import { indexedReads, parametersFor } from "../operations.ts";
import { serveCalls } from "../process/serve-calls.ts";
import { readingOf } from "../tables/reads.ts";
import { Writes } from "../tables/writes.ts";

/** Bytes for each row. */
export interface EngineWeights {
  readonly loaded: number;
  readonly indexed: number;
  /** Undefined where the writes would take minutes. */
  readonly written: number | undefined;
}

/** Small tables are weighed in numbers, so that what the process takes once does not count for them. */
const leastRows = 100_000;
/** The most rows of which a quarter is written anew. */
const mostWritten = 100_000;

/** Bytes in use, those outside of the heap (typed arrays) included. */
function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Makes one or many of a thing. */
function makeSome<Thing>(size: number, make: () => Thing): readonly Thing[] {
  return Array.from({ length: Math.max(1, Math.round(leastRows / size)) }, make);
}

function useIndexes(engine: Engine, size: number): void {
  for (const name of indexedReads) readingOf(engine, name, size)();
}

async function write(engine: Engine, size: number): Promise<void> {
  await new Writes(engine, { size, settle: true }).cycle(size / 4);
}

function makeEngine(size: number): Engine {
  return new Engine(loadItems(makeItems(size)));
}

/** Whatever the code and the parameters take is in memory before anything is weighed. */
async function warmUp(size: number): Promise<void> {
  parametersFor(size);
  const fewRows = 1000;
  const engine = makeEngine(fewRows);
  useIndexes(engine, fewRows);
  await write(engine, fewRows);
}

export const memoryCalls = {
  async engine(size: number): Promise<EngineWeights> {
    await warmUp(size);
    const empty = bytesInUse();
    const engines = makeSome(size, () => makeEngine(size));
    // It names the engines, which keeps them alive until they are weighed.
    const weigh = (): number => (bytesInUse() - empty) / (engines.length * size);
    const loaded = weigh();
    for (const engine of engines) useIndexes(engine, size);
    const indexed = weigh();
    if (size > mostWritten) return { loaded, indexed, written: undefined };
    for (const engine of engines) await write(engine, size);
    return { loaded, indexed, written: weigh() };
  },

  array(size: number): number {
    const empty = bytesInUse();
    const tables = makeSome(size, () => makeItems(size));
    return (bytesInUse() - empty) / (tables.length * size);
  },

  /** The size of the whole database, which is not on the heap. */
  async sqlite(size: number): Promise<number> {
    const database = (await sqliteOpener())();
    fillSqlite(database, makeItems(size));
    database.exec(sqliteIndexes);
    return database.serialize().length / size;
  },
};

serveCalls(memoryCalls);
