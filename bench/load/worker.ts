/** Loads one file of items in a process of its own. */
import { readFileSync } from "node:fs";
import { loadDatabase } from "../contenders/built.ts";
import { Engine } from "../contenders/engine.ts";
import { fillSqlite, sqliteIndexes, sqliteOpener } from "../contenders/sqlite.ts";
import { cpuTime } from "../cpu-time.ts";
import { readFixtures } from "../items-file.ts";
import { type Item, itemSchema } from "../items.ts";
import { indexedReads } from "../operations.ts";
import { serveCalls } from "../process/serve-calls.ts";
import { readingOf } from "../tables/reads.ts";

/** Microseconds of CPU for a load, and for making four indexes after it. */
export interface LoadTimes {
  readonly load: number;
  readonly indexes: number;
}

export interface LoadRequest {
  readonly file: string;
  readonly size: number;
  /** How many times; the figures are for one. */
  readonly times: number;
}

async function average(
  times: number,
  one: () => LoadTimes | Promise<LoadTimes>,
): Promise<LoadTimes> {
  const sum = { load: 0, indexes: 0 };
  for (let time = 0; time < times; time++) {
    const { load, indexes } = await one();
    sum.load += load;
    sum.indexes += indexes;
  }
  return { load: sum.load / times, indexes: sum.indexes / times };
}

function parse(text: string): LoadTimes {
  const started = cpuTime();
  const rows = readFixtures(text);
  return { load: cpuTime() - started, indexes: rows.length > 0 ? 0 : NaN };
}

/** The file's text to a database, the parsing included. */
function loadEngine(text: string, size: number): LoadTimes {
  const started = cpuTime();
  const database = loadDatabase([{ schema: itemSchema, rows: readFixtures(text) }]);
  const loaded = cpuTime();
  const engine = new Engine(database);
  for (const name of indexedReads) readingOf(engine, name, size)();
  return { load: loaded - started, indexes: cpuTime() - loaded };
}

/** A file to an emulator, as users load it: read from disk, its format checked, seeds and templates looked for. */
async function loadEmulator(file: string): Promise<LoadTimes> {
  const { createEmulator } = await importBuilt<typeof import("../../src/index.ts")>("index.js");
  const { loadFixtures } =
    await importBuilt<typeof import("../../src/fronts/node/index.ts")>("node.js");
  const started = cpuTime();
  await createEmulator({ fixtures: await loadFixtures(file) });
  return { load: cpuTime() - started, indexes: 0 };
}

async function importBuilt<Exports>(name: string): Promise<Exports> {
  return (await import(new URL(`../../dist/${name}`, import.meta.url).href)) as Exports;
}

type OpenSqlite = Awaited<ReturnType<typeof sqliteOpener>>;

function loadSqlite(open: OpenSqlite, text: string): LoadTimes {
  const started = cpuTime();
  const database = open();
  const items: Item[] = readFixtures(text);
  fillSqlite(database, items);
  const loaded = cpuTime();
  database.exec(sqliteIndexes);
  const indexed = cpuTime();
  database.close();
  return { load: loaded - started, indexes: indexed - loaded };
}

export const loadCalls = {
  parse({ file, times }: LoadRequest): Promise<LoadTimes> {
    const text = readFileSync(file, "utf8");
    return average(times, () => parse(text));
  },

  engine({ file, size, times }: LoadRequest): Promise<LoadTimes> {
    const text = readFileSync(file, "utf8");
    return average(times, () => loadEngine(text, size));
  },

  emulator({ file, times }: LoadRequest): Promise<LoadTimes> {
    return average(times, () => loadEmulator(file));
  },

  async sqlite({ file, times }: LoadRequest): Promise<LoadTimes> {
    const open = await sqliteOpener();
    const text = readFileSync(file, "utf8");
    return average(times, () => loadSqlite(open, text));
  },
};

serveCalls(loadCalls);
