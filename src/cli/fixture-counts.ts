import type { FixtureSet } from "../fixtures/fixture-set.ts";

/** How much there is in a fixture set. */
export interface FixtureCounts {
  readonly tables: number;
  readonly rows: number;
  readonly models: number;
  readonly scripts: number;
}

/** Counts what was loaded. */
export function countFixtures({ tables, models, scripts }: FixtureSet): FixtureCounts {
  return {
    tables: tables.length,
    rows: tables.reduce((total, { rows }) => total + rows.length, 0),
    models: models.length,
    scripts: scripts.length,
  };
}

/** Counts in words: `3 tables (360 rows), 5 models, 14 scripts`. */
export function showCounts({ tables, rows, models, scripts }: FixtureCounts): string {
  return [
    `${some(tables, "table")} (${some(rows, "row")})`,
    some(models, "model"),
    some(scripts, "script"),
  ].join(", ");
}

function some(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
