/** An emulator of many rows whose sessions are made, in a process of its own that runs with `--expose-gc`. */
import { collectGarbage } from "../collect-garbage.ts";
import { Engine } from "../contenders/engine.ts";
import type { Emulator } from "../../src/index.ts";
import { cpuTime } from "../cpu-time.ts";
import { makeItems } from "../items-file.ts";
import { itemTypes } from "../items.ts";
import { indexedReads } from "../operations.ts";
import { serveCalls } from "../process/serve-calls.ts";
import { readingOf } from "../tables/reads.ts";

/** What is timed in each session: what it is by itself, and with what is done in it first. */
export type SessionStep = "made" | "read" | "updated" | "inserted";

/** Bytes of the heap for each session. */
export interface SessionWeights {
  readonly made: number;
  readonly read: number;
  readonly updated: number;
}

const perSeries = 2000;
const weighed = 5000;

type BuiltModule = typeof import("../../src/index.ts");

// The package as it is built, since tsx makes it slower.
const built = (await import(new URL("../../dist/index.js", import.meta.url).href)) as BuiltModule;

let emulator: Emulator;
let size = 0;
let made = 0;

function nextId(): string {
  made++;
  return `test-${made}`;
}

async function makeEmulator(maxSessions: number): Promise<Emulator> {
  const columns = Object.fromEntries(itemTypes);
  const items = { primaryKey: "id", columns, rows: makeItems(size) };
  const chats = [{ name: "greeting", when: { user: "hello" }, reply: { content: "Hi there." } }];
  // Of no type that rows could be typed by.
  const fixtures: unknown = { tables: { items }, chats };
  const one: Emulator = await built.createEmulator({ fixtures, maxSessions });
  // As after some requests: the indexes that they asked for are there.
  const engine = new Engine(one.core.sessions.base.state.database);
  for (const name of indexedReads) readingOf(engine, name, size)();
  return one;
}

/** Makes a session as the first request that names it does. */
function make(one: Emulator): string {
  const id = nextId();
  one.core.sessions.get(id);
  return id;
}

const steps: Readonly<Record<SessionStep, (one: Emulator) => unknown>> = {
  made: make,
  read: (one) => one.session(make(one)).tables["items"]?.get(1 + (made % size)),
  updated: (one) => {
    const row = one.session(make(one)).tables["items"]?.update(1 + (made % size), { stock: made });
    if (row?.["stock"] !== made) throw new Error("A session kept no update.");
  },
  inserted: (one) => {
    const row = one.session(make(one)).tables["items"]?.insert({
      name: "Lamp",
      email: `${made}@example.com`,
      category: "home",
      price: made % 1000,
      stock: 1,
      created: "2024-01-01",
    });
    if (row?.["id"] !== size + 1) throw new Error("A session saw the row of another one.");
  },
};

async function weigh(name: keyof SessionWeights): Promise<number> {
  const one = await makeEmulator(weighed);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < weighed; count++) steps[name](one);
  collectGarbage();
  const { heapUsed } = process.memoryUsage();
  // It names the emulator, which keeps it alive until it is weighed.
  return (heapUsed - before) / one.core.sessions.list().length;
}

export const sessionCalls = {
  async make(rows: number): Promise<void> {
    size = rows;
    emulator = await makeEmulator(1000);
  },

  /** Microseconds for each session, in a series of them. Older ones are forgotten on the way. */
  series(name: SessionStep): number {
    collectGarbage();
    const started = cpuTime();
    for (let count = 0; count < perSeries; count++) steps[name](emulator);
    return (cpuTime() - started) / perSeries;
  },

  async weights(): Promise<SessionWeights> {
    return {
      made: await weigh("made"),
      read: await weigh("read"),
      updated: await weigh("updated"),
    };
  },
};

serveCalls(sessionCalls);
