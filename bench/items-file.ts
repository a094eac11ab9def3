/** The items as text, written once for all processes of a run, so that each has its strings from `JSON.parse`. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Item, itemTypes, newItem } from "./items.ts";

/** Rows to a line: an array of them. */
const lineRows = 10_000;

/** Where the processes of a run share files. */
function sharedFolder(): string {
  return process.env["BENCH_FOLDER"] ?? tmpdir();
}

/** Processes find the folder in their environment. */
export function shareFolder(folder: string): void {
  process.env["BENCH_FOLDER"] = folder;
}

function linesOf(size: number): readonly string[] {
  const file = join(sharedFolder(), `backlot-items-${size}.jsonl`);
  if (!existsSync(file)) {
    // Another process may be at it too: the file is there only when it is whole.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, makeLines(size).join("\n"));
    renameSync(draft, file);
  }
  return readFileSync(file, "utf8").split("\n");
}

function makeLines(size: number): readonly string[] {
  const lines: string[] = [];
  for (let first = 1; first <= size; first += lineRows) {
    const length = Math.min(lineRows, size - first + 1);
    const items = Array.from({ length }, (_, index) => ({
      id: first + index,
      ...newItem(first + index),
    }));
    lines.push(JSON.stringify(items));
  }
  return lines;
}

/** Rows 1 to `size`. */
export function makeItems(size: number): Item[] {
  const items: Item[] = [];
  for (const line of linesOf(size)) {
    const parsed: Item[] = JSON.parse(line);
    for (const item of parsed) items.push(item);
  }
  return items;
}

/** Writes a fixture document with these rows. */
export function writeFixtures(file: string, size: number): void {
  const columns = JSON.stringify(Object.fromEntries(itemTypes));
  const rows = linesOf(size).map((line) => line.slice(1, -1));
  const table = `{"primaryKey":"id","columns":${columns},"rows":[${rows.join(",\n")}]}`;
  writeFileSync(file, `{"tables":{"items":${table}}}\n`);
}
