import type { FixtureSet } from "../fixtures/fixture-set.ts";

/** How much there is in a fixture set. */
export interface FixtureCounts {
  readonly tables: number;
  readonly rows: number;
  readonly models: number;
  readonly scripts: number;
  /** Left out where there are none. */
  readonly cassettes?: number;
  readonly recordings?: number;
}

/** Counts what was loaded. */
export function countFixtures({ tables, models, scripts, cassettes }: FixtureSet): FixtureCounts {
  return {
    tables: tables.length,
    rows: tables.reduce((total, { rows }) => total + rows.length, 0),
    models: models.length,
    scripts: scripts.length,
    ...(cassettes.length === 0
      ? {}
      : {
          cassettes: cassettes.length,
          recordings: cassettes.reduce((total, { recordings }) => total + recordings.length, 0),
        }),
  };
}

/** Counts in words: `3 tables (360 rows), 5 models, 14 scripts`. */
export function showCounts(counts: FixtureCounts): string {
  const { tables, rows, models, scripts, cassettes, recordings = 0 } = counts;
  return [
    `${some(tables, "table")} (${some(rows, "row")})`,
    some(models, "model"),
    some(scripts, "script"),
    ...(cassettes === undefined
      ? []
      : [`${some(cassettes, "cassette")} (${some(recordings, "recording")})`]),
  ].join(", ");
}

function some(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
