/** The script of the pages in which browser tests run: it does what a test tells it from outside. */
import { type BrowserEmulator, startWorker } from "../../../../src/fronts/page/browser/index.ts";
import { SqlDump } from "../../sql-dump.ts";
import { abort, cancel, play, send } from "./fetches.ts";
import { addElement } from "./elements.ts";
import type { SentRequest } from "./messages.ts";
import { tell } from "./tell.ts";

declare global {
  /** Put into the page by the test: hears what the page tells, a list in JSON. */
  // oxlint-disable-next-line no-var
  var hear: ((message: string) => Promise<void>) | undefined;
  // oxlint-disable-next-line no-var
  var remote: Remote | undefined;
}

/** What a test can have the page do. Arguments and results that need more than strings and numbers are JSON text. */
export interface Remote {
  readonly startWorker: typeof startWorker;
  /** Starts the worker with options in JSON, and with a SQL dump as its fixtures where there is one. */
  readonly open: (options: string, dump?: string) => Promise<void>;
  readonly close: () => Promise<void>;
  /** Starts our own worker, and tells the address of its console. */
  readonly consoleOf?: (options: string) => Promise<string | undefined>;
  readonly send: (sent: SentRequest) => void;
  /** Adds an element that loads an address, such as `img` or `link rel=stylesheet`. */
  readonly addElement: (tag: string, url: string) => void;
  readonly abort: (id: number) => void;
  readonly cancel: (id: number) => void;
  /** How many exchanges are over since the worker was started. */
  readonly exchanges: () => number;
  /** The rows of all tables, by table. */
  readonly rows: () => string | Promise<string>;
  readonly insert: (table: string, row: string) => void | Promise<void>;
  readonly update: (table: string, key: number, columns: string) => void | Promise<void>;
  readonly reset: () => void | Promise<void>;
  /** Makes runs of requests below an address, each from the fixtures. */
  readonly play: (runs: string, baseUrl: string) => Promise<string>;
}

let emulator: BrowserEmulator | undefined;
let exchanges = 0;

function running(): BrowserEmulator {
  if (emulator === undefined) throw new Error("No worker was started in this page.");
  return emulator;
}

function table(name: string): NonNullable<BrowserEmulator["tables"][string]> {
  const found = running().tables[name];
  if (found === undefined) throw new Error(`There is no table ${name}.`);
  return found;
}

globalThis.remote = {
  startWorker,
  open: async (options, dump) => {
    exchanges = 0;
    emulator = await startWorker({
      ...JSON.parse(options),
      ...(dump === undefined ? {} : { fixtures: await new SqlDump(dump).read() }),
      observer: {
        exchanged: (record) => {
          exchanges += 1;
          tell({ kind: "exchanged", record });
        },
        failed: (error) => tell({ kind: "failed", message: String(error) }),
      },
    });
  },
  close: async () => {
    await emulator?.stop();
    emulator = undefined;
  },
  send: (sent) => {
    void send(sent, tell);
  },
  exchanges: () => exchanges,
  addElement,
  abort,
  cancel,
  rows: () => {
    const tables = Object.entries(running().tables);
    return JSON.stringify(Object.fromEntries(tables.map(([name, one]) => [name, one.rows()])));
  },
  insert: (name, row) => void table(name).insert(JSON.parse(row)),
  update: (name, key, columns) => void table(name).update(key, JSON.parse(columns)),
  reset: () => running().reset(),
  play: async (runs, baseUrl) =>
    JSON.stringify(await play(JSON.parse(runs), baseUrl, () => running().reset())),
};
