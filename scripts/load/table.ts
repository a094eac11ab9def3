import type { Figure } from "./scenario.ts";

/** What a scenario gave. */
export interface Result {
  readonly scenario: string;
  readonly figures: readonly Figure[];
}

const titles = ["scenario", "what", "figure", "promise", ""];

/** All figures, in columns. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.flatMap(({ scenario, figures }) =>
    figures.map(({ what, figure, promise }) => [
      scenario,
      what,
      figure,
      promise?.text ?? "",
      promise === undefined ? "" : promise.isKept ? "kept" : "BROKEN",
    ]),
  );
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [titles, rule, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The promises that were not kept. */
export function broken(results: readonly Result[]): readonly string[] {
  return results.flatMap(({ scenario, figures }) =>
    figures
      .filter(({ promise }) => promise?.isKept === false)
      .map(({ what, figure, promise }) => `${scenario}: ${what}: ${figure}, not ${promise?.text}`),
  );
}
