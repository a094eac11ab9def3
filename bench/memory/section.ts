/** What rows weigh. */
import { type Line, printBySize } from "../by-size.ts";
import { withChild } from "../process/child.ts";
import { type Setup, usualSizes } from "../setup.ts";
import type { EngineWeights, memoryCalls } from "./worker.ts";

const script = "memory/worker.ts";
const goal = { goal: 350, is: "atMost", unit: "bytes" } as const;
const goalSize = 100_000;
const writtenLabel = "engine, after inserts, updates and deletes of a quarter each";

export async function benchMemory({ sizes = usualSizes, available, goals }: Setup): Promise<void> {
  const withSqlite = available.includes("better-sqlite3");
  const measured = [];
  for (const size of sizes) measured.push({ size, lines: await measure(size, withSqlite) });
  printBySize("Memory: bytes for each row of seven columns, texts included", measured, { goals });
}

async function measure(size: number, withSqlite: boolean): Promise<readonly Line[]> {
  const engine = await withChild<typeof memoryCalls, EngineWeights>(script, (worker) =>
    worker.call("engine", size),
  );
  const array = await withChild<typeof memoryCalls, number>(script, (worker) =>
    worker.call("array", size),
  );
  const judged = size >= goalSize ? { goal } : {};
  const lines: Line[] = [
    { label: "engine, loaded", value: engine.loaded },
    { label: "engine, with four indexes", value: engine.indexed, ...judged },
    ...(engine.written === undefined ? [] : [{ label: writtenLabel, value: engine.written }]),
    { label: "the same rows in an array", value: array },
  ];
  if (!withSqlite) return lines;
  const sqlite = await withChild<typeof memoryCalls, number>(script, (worker) =>
    worker.call("sqlite", size),
  );
  return [...lines, { label: "better-sqlite3 with four indexes, its own memory", value: sqlite }];
}
