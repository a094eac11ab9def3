/**
 * Asks the table engine and SQLite the same, table after table, until they disagree or enough was asked:
 * `npm run fuzz -- tables --runs 1000000 --seed 7`. Seed and path, as fast-check prints them, make a found case again:
 * `npm run fuzz -- tables --seed 7 --path 3:0:1`.
 */
import { anySeed } from "../src/core/emulator/environment.ts";
import { fuzzTables, type FuzzCounts } from "../test/fuzz/fuzz-tables.ts";
import { count, readArguments } from "./arguments.ts";

const usage = "Usage: npm run fuzz -- tables [--runs <n>] [--seed <n> [--path <path>]]";
const { values, wholeNumber } = readArguments(usage, {
  options: {
    runs: { type: "string", default: "1000000" },
    seed: { type: "string" },
    path: { type: "string" },
  },
});
const runs = wholeNumber("runs", values.runs);
const seed = values.seed === undefined ? anySeed() : wholeNumber("seed", values.seed);
if (values.seed === undefined) console.log(`--seed ${seed}`);

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
