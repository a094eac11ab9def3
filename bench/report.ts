/** How the figures are printed, and which goals are reached. */

/** A heading, and rows of cells under it. The first column is text, the others are figures. */
export interface Sheet {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What a reader has to know besides. */
  readonly notes?: readonly string[];
}

export function printSheet({ title, head, rows, notes = [] }: Sheet): void {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? "").length)),
  );
  console.log(`\n${title}`);
  for (const cells of lines) console.log(`  ${alignCells(cells, widths)}`);
  for (const note of notes) console.log(`  ${note}`);
}

function alignCells(cells: readonly string[], widths: readonly number[]): string {
  const aligned = widths.map((width, column) => {
    const cell = cells[column] ?? "";
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
  return aligned.join("  ").trimEnd();
}

/** Three digits that count, thousands parted. */
export function showFigure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toPrecision(3).slice(0, 4).replace(/\.$/, "");
}

export function showCount(value: number): string {
  return value.toLocaleString("en-US");
}

/** A figure and where it has to be. */
export interface Judged {
  readonly name: string;
  readonly value: number | undefined;
  readonly goal: number;
  readonly is: "atLeast" | "atMost";
  readonly unit: string;
}

/** Keeps which goals were reached. */
export class Goals {
  readonly #missed: string[] = [];
  #count = 0;

  /** What a table says of a goal: `≥ 5 ×: reached`. */
  judge({ name, value, goal, is, unit }: Judged): string {
    const wanted = `${is === "atLeast" ? "≥" : "≤"} ${showCount(goal)} ${unit}`;
    if (value === undefined || Number.isNaN(value)) return `${wanted}: not measured`;
    this.#count++;
    const reached = is === "atLeast" ? value >= goal : value <= goal;
    if (!reached) this.#missed.push(`${name}: ${showFigure(value)} ${unit}, goal ${wanted}`);
    return `${wanted}: ${reached ? "reached" : "MISSED"}`;
  }

  /** Tells how many goals were reached, and which were not. True when all were. */
  printSummary(): boolean {
    if (this.#count === 0) return true;
    const reached = this.#count - this.#missed.length;
    console.log(`\n${reached} of ${this.#count} goals reached.`);
    for (const missed of this.#missed) console.log(`  missed: ${missed}`);
    return this.#missed.length === 0;
  }
}
