/**
 * Asks the table engine and SQLite the same, table after table, until they disagree or enough was asked:
 * `npm run fuzz:tables -- --runs 1000000 --seed 7`. Seed and path, as fast-check prints them, make a found case again:
 * `npm run fuzz:tables -- --seed 7 --path 3:0:1`.
 */
import { parseArgs } from "node:util";
import { anySeed } from "../src/core/emulator/environment.ts";
import { fuzzTables, type FuzzCounts } from "../test/fuzz/fuzz-tables.ts";

const { values } = readArguments();
const runs = wholeNumber("runs", values.runs);
const seed = values.seed === undefined ? anySeed() : wholeNumber("seed", values.seed);
if (values.seed === undefined) console.log(`--seed ${seed}`);

function readArguments() {
  try {
    return parseArgs({
      options: {
        runs: { type: "string", default: "1000000" },
        seed: { type: "string" },
        path: { type: "string" },
      },
    });
  } catch (error) {
    // What follows the first sentence is about words that begin with a dash.
    const [reason = ""] = String(error instanceof Error ? error.message : error).split(/[.\n]/);
    return refuse(`${reason}.`);
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return refuse(`--${name} is "${text}" and takes a whole number.`);
}

function refuse(reason: string): never {
  console.error(
    `error: ${reason} Usage: npm run fuzz:tables -- [--runs <n>] [--seed <n> [--path <path>]]`,
  );
  return process.exit(2);
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

function showProgress({ queries, tables }: FuzzCounts): void {
  if (!process.stderr.isTTY || tables % 20 !== 0) return;
  const percent = Math.floor((100 * queries) / runs);
  process.stderr.write(`\r\x1b[K${percent} %  ${count(queries)} queries, ${count(tables)} tables`);
}

const started = performance.now();
const result = await fuzzTables({ seed, runs, path: values.path, onTable: showProgress });
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
if (result.disagreement !== undefined) {
  console.error(result.disagreement);
  process.exitCode = 1;
}
const { queries, writes, tables, sqliteVersion, disagreement } = result;
console.log(
  [
    `${count(queries)} queries and ${count(writes)} writes in ${count(tables)} tables`,
    `${disagreement === undefined ? 0 : 1} disagreements`,
    `seed ${seed}`,
    `SQLite ${sqliteVersion}`,
    `${Math.round((performance.now() - started) / 1000)} s`,
  ].join(", "),
);
