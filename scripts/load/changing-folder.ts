import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type RandomSource, randomFromSeed } from "../../src/core/emulator/environment.ts";
import { ask } from "./ask.ts";
import type { BacklotProcess } from "./backlot-process.ts";
import { exactly, inTime } from "./figures.ts";
import type { Scenario } from "./scenario.ts";

const changes = 1_000;
/** One set has tables with as many rows as its number says, and all of them the same number. */
const tables = ["one", "two", "three"] as const;
const rowCount = 50;

type Change = (folder: string, version: number) => void;

function text(version: number): string {
  return JSON.stringify(Array.from({ length: rowCount }, (_, id) => ({ id, version })));
}

function writeAll(folder: string, version: number): void {
  mkdirSync(join(folder, "tables"), { recursive: true });
  for (const table of tables) writeFileSync(join(folder, "tables", `${table}.json`), text(version));
}

/** What an editor, a checkout or a script does to a folder. Only whole sets have a version of their own. */
const kinds: readonly Change[] = [
  writeAll,
  // As an editor that saves by renaming.
  (folder, version) => {
    mkdirSync(join(folder, "tables"), { recursive: true });
    for (const table of tables) {
      writeFileSync(join(folder, "tables", `.${table}.tmp`), text(version));
      renameSync(join(folder, "tables", `.${table}.tmp`), join(folder, "tables", `${table}.json`));
    }
  },
  (folder) => {
    writeAll(folder, -1);
    truncateSync(join(folder, "tables", "two.json"), 100);
  },
  (folder) => {
    mkdirSync(join(folder, "tables"), { recursive: true });
    writeFileSync(join(folder, "tables", "one.json"), '[{"id": 1, "verison');
  },
  (folder) => rmSync(folder, { recursive: true, force: true }),
  (folder, version) => {
    rmSync(folder, { recursive: true, force: true });
    writeAll(folder, version);
  },
];

/** A folder of fixtures that changes all the time while it is watched. */
export const changingFolder: Scenario = {
  name: "changing-folder",
  about: "a watched folder of fixtures is rewritten, truncated, deleted and made anew 1,000 times",
  run: async (stage) => {
    const cwd = await stage.folder();
    const folder = join(cwd, "fixtures");
    const random = randomFromSeed(stage.seed);
    writeAll(folder, 0);
    const server = await stage.start({ cwd, args: ["fixtures", "--watch", "--no-auth"] });
    const over = new AbortController();
    const watching = look(server, over.signal);
    for (let version = 1; version <= changes; version++) {
      pick(kinds, random)(folder, version);
      await delay(random.next() < 0.1 ? 120 : random.next() * 10);
    }
    const last = changes + 1;
    const changedAt = performance.now();
    rmSync(folder, { recursive: true, force: true });
    writeAll(folder, last);
    while ((await versionOf(server)) !== last && performance.now() - changedAt < 10_000) {
      await delay(10);
    }
    const caughtUpMs = performance.now() - changedAt;
    over.abort();
    const { answers, absent, wrong } = await watching;
    const reloads = [...server.out.matchAll(/"event":"reload"/g)].length;
    const refusals = [...server.out.matchAll(/"event":"problems"/g)].length;
    const bugs = [...`${server.out}${server.err}`.matchAll(/This is a bug/g)].length;
    return [
      {
        what: "changes / sets that were loaded / sets that were refused",
        figure: `${changes} / ${reloads} / ${refusals}`,
      },
      { what: "requests that were answered meanwhile", figure: String(answers) },
      // A folder whose last file is deleted already is a set of its own.
      { what: "answers of sets in which the table was deleted", figure: String(absent) },
      exactly(
        "answers that were no whole table",
        wrong.length === 0 ? "0" : `${wrong.length}: ${wrong[0]}`,
        "0",
      ),
      exactly("failures of Backlot itself", bugs, 0),
      exactly("version of the set that is served at the end", await versionOf(server), last),
      inTime("the last set is served after", caughtUpMs, 3_000),
    ];
  },
};

function pick<Value>(values: readonly Value[], random: RandomSource): Value {
  const value = values[Math.floor(random.next() * values.length)];
  if (value === undefined) throw new Error("There is nothing to pick from.");
  return value;
}

/** Asks all the time: each answer has to be a table as it was once written. */
async function look(
  server: BacklotProcess,
  over: AbortSignal,
): Promise<{
  readonly answers: number;
  readonly absent: number;
  readonly wrong: readonly string[];
}> {
  let answers = 0;
  let absent = 0;
  const wrong: string[] = [];
  while (!over.aborted) {
    for (const table of tables) {
      const { status, text: body } = await ask({ url: `${server.url}/rest/${table}` });
      answers++;
      if (status === 404) absent++;
      else if (status !== 200 || !isWhole(JSON.parse(body).result)) {
        wrong.push(`${status} ${body.slice(0, 200)}`);
      }
    }
    await delay(5);
  }
  return { answers, absent, wrong };
}

function isWhole(rows: readonly { readonly version: number }[]): boolean {
  return rows.length === rowCount && rows.every(({ version }) => version === rows[0]?.version);
}

async function versionOf({ url }: BacklotProcess): Promise<number> {
  const versions = new Set<number>();
  for (const table of tables) {
    const { text: body } = await ask({ url: `${url}/rest/${table}?limit=1` });
    versions.add(JSON.parse(body).result[0].version);
  }
  const [version = -1] = versions;
  return versions.size === 1 ? version : -1;
}
