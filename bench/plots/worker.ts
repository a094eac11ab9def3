/** What one process measures for the plots. Run with `--expose-gc`. */
import { collectGarbage } from "../collect-garbage.ts";
import { loadDatabase } from "../contenders/built.ts";
import { sqliteOpener } from "../contenders/sqlite.ts";
import { cpuTime, median } from "../cpu-time.ts";
import { mix } from "../items.ts";
import { serveCalls } from "../process/serve-calls.ts";
import type { Emulator } from "../../src/index.ts";

type BuiltModule = typeof import("../../src/index.ts");

/** Microseconds of CPU of one call: the median of series, after some to warm up. */
function timeOf(run: () => unknown, warmMs = 400): number {
  let calls = 1;
  let used = 0;
  const started = cpuTime();
  do {
    const began = cpuTime();
    for (let call = 0; call < calls; call++) run();
    used = (cpuTime() - began) / calls;
    calls = Math.max(1, Math.min(100_000, Math.round(15_000 / Math.max(used, 0.05))));
  } while (cpuTime() - started < warmMs * 1000);
  const series = Array.from({ length: 7 }, () => {
    const began = cpuTime();
    for (let call = 0; call < calls; call++) run();
    return (cpuTime() - began) / calls;
  });
  return median(series);
}

export type Who = "engine" | "better-sqlite3" | "array";

/** A table of a key and so many columns more, texts and numbers in turn. */
function columnNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`);
}

function valueOf(row: number, column: number): string | number {
  const random = mix(row, column);
  return column % 2 === 0 ? random % 100_000 : `text ${random % 100_000}`;
}

type WideRow = Record<string, string | number>;

function wideRow(id: number, names: readonly string[]): WideRow {
  const row: WideRow = { id };
  for (const [column, name] of names.entries()) row[name] = valueOf(id, column);
  return row;
}

/** A table as a contender holds it. */
interface Held {
  /** Ten rows as JSON, in the order of a column, from another place each time. */
  readonly page: (turn: number) => string;
  readonly insert: (row: WideRow) => unknown;
  /** Finds rows by a column, and makes an index of it if that is how it works. */
  readonly find: (column: string, value: string | number) => unknown;
}

function engineOf(names: readonly string[], rows: readonly WideRow[]): Held {
  const columns = ["id", ...names].map((name, index) => ({
    name,
    type: index % 2 === 1 || index === 0 ? "INTEGER" : "TEXT",
    notNull: false,
    unique: false,
    default: undefined,
    references: undefined,
    collate: "BINARY" as const,
  }));
  const table = loadDatabase([
    { schema: { name: "wide", columns, primaryKey: ["id"] }, rows },
  ]).table("wide");
  if (table === undefined) throw new Error("The engine has no table.");
  const sort = { by: [{ column: "c0", descending: false }] };
  return {
    page: (turn) =>
      JSON.stringify(table.select({ where: [], sort, offset: (turn % 50) * 10, limit: 10 })),
    insert: (row) => table.insert(row),
    find: (column, value) =>
      table.select({ where: [{ column, operator: "eq", value: String(value) }], limit: 1 }),
  };
}

async function sqliteOf(
  names: readonly string[],
  rows: readonly WideRow[],
  indexed: readonly string[],
): Promise<Held> {
  const database = (await sqliteOpener())();
  const types = names.map((name, index) => `${name} ${index % 2 === 0 ? "INTEGER" : "TEXT"}`);
  database.exec(`CREATE TABLE wide (${["id INTEGER PRIMARY KEY", ...types].join(", ")})`);
  const all = ["id", ...names];
  const insert = database.prepare(`INSERT INTO wide VALUES (${all.map(() => "?").join(", ")})`);
  const put = (row: WideRow): unknown => insert.run(...all.map((name) => row[name] ?? null));
  database.exec("BEGIN");
  for (const row of rows) put(row);
  database.exec("COMMIT");
  for (const name of indexed) database.exec(`CREATE INDEX by_${name} ON wide (${name})`);
  const page = database.prepare("SELECT * FROM wide ORDER BY c0 LIMIT 10 OFFSET ?");
  return {
    page: (turn) => JSON.stringify(page.all((turn % 50) * 10)),
    insert: put,
    find: () => undefined,
  };
}

function arrayOf(rows: readonly WideRow[]): Held {
  const held = [...rows];
  return {
    page: (turn) => {
      const from = (turn % 50) * 10;
      const sorted = held.toSorted((one, other) => Number(one["c0"]) - Number(other["c0"]));
      return JSON.stringify(sorted.slice(from, from + 10));
    },
    insert: (row) => held.push({ ...row }),
    find: () => undefined,
  };
}

function hold(
  who: Who,
  names: readonly string[],
  { rows, indexed }: { readonly rows: readonly WideRow[]; readonly indexed: readonly string[] },
): Held | Promise<Held> {
  if (who === "engine") return engineOf(names, rows);
  return who === "array" ? arrayOf(rows) : sqliteOf(names, rows, indexed);
}

function someRows(count: number, names: readonly string[]): readonly WideRow[] {
  return Array.from({ length: count }, (_, index) => wideRow(index + 1, names));
}

// The package as it is built, since tsx makes it slower.
async function emulatorWith(options: object): Promise<Emulator> {
  const built = (await import(new URL("../../dist/index.js", import.meta.url).href)) as BuiltModule;
  return built.createEmulator({ auth: false, ...options });
}

const inserted = 2000;

export const plotCalls = {
  /** A page of ten rows as JSON, and an insert, by the number of columns. */
  async columns({ who, columns }: { readonly who: Who; readonly columns: number }) {
    const names = columnNames(columns - 1);
    const held = await hold(who, names, { rows: someRows(1000, names), indexed: ["c0"] });
    let turn = 0;
    return { page: timeOf(() => held.page(turn++)) };
  },

  /** An insert into 10,000 rows, by the number of indexes. What is put off until the next read counts. */
  async indexes({ who, indexes }: { readonly who: Who; readonly indexes: number }) {
    const names = columnNames(16);
    const indexed = names.slice(0, indexes);
    const held = await hold(who, names, { rows: someRows(10_000, names), indexed });
    const settle = (): void => {
      for (const [column, name] of indexed.entries()) held.find(name, valueOf(7, column));
    };
    settle();
    let id = 10_000;
    const series = Array.from({ length: 7 }, () => {
      const rows = Array.from({ length: inserted }, () => wideRow(++id, names));
      collectGarbage();
      const began = cpuTime();
      for (const row of rows) held.insert(row);
      settle();
      return (cpuTime() - began) / inserted;
    });
    return median(series);
  },

  /** A session and its first write, while there are so many; and the write of a row in one of those. */
  async sessions(count: number) {
    const users = Array.from({ length: 1000 }, (_, index) => ({ id: index + 1, name: "Ada" }));
    const emulator = await emulatorWith({ fixtures: { tables: { users } }, maxSessions: count });
    let made = 0;
    const write = (id: number): unknown =>
      emulator.session(`s${id}`).tables["users"]?.update(1 + (id % 1000), { name: `n${id}` });
    while (made < count) write(made++);
    let turn = 0;
    const known = timeOf(() => write(made - 1 - (mix(turn++, 3) % count)));
    return { known, begun: timeOf(() => write(made++)) };
  },

  /** The same with a database for each: a copy, and a write in it. */
  async databases(count: number) {
    const open = await sqliteOpener();
    const first = open();
    first.exec("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)");
    for (let id = 1; id <= 1000; id++) first.exec(`INSERT INTO users VALUES (${id}, 'Ada')`);
    const whole = first.serialize();
    const kept = Array.from({ length: count }, () => open(whole));
    let made = 0;
    return timeOf(() => {
      const place = made++ % count;
      kept[place]?.close();
      const copy = open(whole);
      copy.exec(`UPDATE users SET name = 'n' WHERE id = ${1 + (made % 1000)}`);
      kept[place] = copy;
    });
  },

  /** A request while the journal is full, and the list of all that it has. */
  async journal(size: number) {
    const users = [{ id: 1, name: "Ada" }];
    const emulator = await emulatorWith({ fixtures: { tables: { users } }, journalSize: size });
    const { core } = emulator;
    const empty = new Uint8Array();
    const { signal } = new AbortController();
    const call = {
      method: "GET",
      path: "/rest/users/1",
      query: "",
      headers: { host: "127.0.0.1:4010", authorization: "Bearer local-token", accept: "*/*" },
      readBody: () => Promise.resolve({ kind: "bytes" as const, bytes: empty }),
      received: undefined,
      signal,
    };
    const ask = async (times: number): Promise<number> => {
      const began = cpuTime();
      for (let time = 0; time < times; time++) {
        const { settle } = await core.handle(call);
        settle({ chunksSent: 0, bytes: 20, aborted: false });
      }
      return (cpuTime() - began) / times;
    };
    await ask(Math.max(20_000, size));
    const series: number[] = [];
    for (let round = 0; round < 9; round++) series.push(await ask(3000));
    const began = cpuTime();
    const { length } = emulator.journal.list();
    const listed = cpuTime() - began;
    return { request: median(series), listed: size === 0 ? NaN : listed, kept: length };
  },
};

serveCalls(plotCalls);
