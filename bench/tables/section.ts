/** The tables' part of the report: every contender beside the others, at each number of rows. */
import { type ContenderName, contenderNames, mostRows, scannedRows } from "../contenders/all.ts";
import { goals, goalSize, labels, type OperationName } from "../operations.ts";
import { type Goals, printSheet, showCount, showFigure } from "../report.ts";
import { type Setup, usualSizes } from "../setup.ts";
import { compareTables, type Figure, type Figures } from "./compare.ts";

/** One more than elsewhere: the most rows that the scanning libraries are asked for. */
const tableSizes = [...usualSizes, scannedRows].toSorted((left, right) => left - right);

export async function benchTables({
  sizes = tableSizes,
  available,
  goals: judged,
}: Setup): Promise<void> {
  for (const size of sizes) {
    const figures = await compareTables(size, available);
    printSheet({
      title: `Tables of ${showCount(size)} rows: microseconds of CPU per operation`,
      head: ["", ...contenderNames, "faster than better-sqlite3", size === goalSize ? "goal" : ""],
      rows: rowsOf(figures, { size, judged }),
      notes: [...notesOn(size, available)],
    });
  }
}

function rowsOf(
  figures: Figures,
  { size, judged }: { readonly size: number; readonly judged: Goals },
): string[][] {
  return Array.from(figures, ([operation, found]) => {
    const ratio = ratioOf(found.get("better-sqlite3"), found.get("engine"));
    return [
      labels[operation],
      ...contenderNames.map((name) => showCell(found.get(name))),
      ratio === undefined ? "–" : `${showFigure(ratio)} ×`,
      size === goalSize ? goalText(operation, ratio, judged) : "",
    ];
  });
}

function showCell(figure: Figure): string {
  return figure === "wrong" ? "wrong" : showFigure(figure);
}

function ratioOf(sqlite: Figure, engine: Figure): number | undefined {
  return typeof sqlite === "number" && typeof engine === "number" ? sqlite / engine : undefined;
}

function goalText(operation: OperationName, value: number | undefined, judged: Goals): string {
  const goal = goals[operation];
  if (goal === undefined) return "";
  const name = `${labels[operation]}, times faster than better-sqlite3`;
  return judged.judge({ name, value, goal, is: "atLeast", unit: "×" });
}

function* notesOn(size: number, available: readonly ContenderName[]): Generator<string> {
  for (const name of contenderNames) {
    if (!available.includes(name)) yield `${name}: not available here.`;
    else if (size > mostRows[name]) {
      yield `${name}: not run beyond ${showCount(mostRows[name])} rows, since it looks at every row.`;
    }
  }
}
