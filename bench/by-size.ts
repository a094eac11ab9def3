/** Tables of figures with a column for each number of rows. */
import { type Goals, type Judged, printSheet, showCount, showFigure } from "./report.ts";

/** One figure at one number of rows. */
export interface Line {
  readonly label: string;
  readonly value: number;
  readonly goal?: Pick<Judged, "goal" | "is" | "unit">;
}

export interface LinesOfSize {
  readonly size: number;
  readonly lines: readonly Line[];
}

/** Prints figures that lie side by side. Where a goal holds at several numbers of rows, the worst figure counts. */
export function printBySize(
  title: string,
  measured: readonly LinesOfSize[],
  { goals, notes = [] }: { readonly goals: Goals; readonly notes?: readonly string[] },
): void {
  const labels = new Set(measured.flatMap(({ lines }) => lines.map(({ label }) => label)));
  const rows = Array.from(labels, (label) => {
    const found = measured.map(({ size, lines }) => ({
      size,
      line: lines.find((line) => line.label === label),
    }));
    return [label, ...found.map(({ line }) => showFigure(line?.value)), judgeWorst(found, goals)];
  });
  const head = ["rows", ...measured.map(({ size }) => showCount(size)), "goal"];
  printSheet({ title, head, rows, notes });
}

interface Found {
  readonly size: number;
  readonly line: Line | undefined;
}

function judgeWorst(found: readonly Found[], goals: Goals): string {
  let worst: Judged | undefined;
  for (const { size, line } of found) {
    if (line?.goal === undefined) continue;
    const { label, value, goal } = line;
    const isWorse =
      worst?.value === undefined ||
      (goal.is === "atMost" ? value > worst.value : value < worst.value);
    if (isWorse) worst = { ...goal, name: `${label}, at ${showCount(size)} rows`, value };
  }
  return worst === undefined ? "" : goals.judge(worst);
}
