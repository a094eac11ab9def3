import { counted } from "../../core/errors/show.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";

/** The contents of a fixture set in numbers. */
export interface FixtureCounts {
  readonly tables: number;
  readonly rows: number;
  readonly models: number;
  readonly scripts: number;
  /** Left out if there are none. */
  readonly cassettes?: number;
  readonly recordings?: number;
}

/** Counts the contents of a fixture set. */
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

/** Counts in words: `3 tables (360 rows), 5 models, 14 scripts`. Zeros are left out. */
export function showCounts(counts: FixtureCounts): string {
  const { tables, rows, models, scripts, cassettes = 0, recordings = 0 } = counts;
  const all: readonly (readonly [count: number, words: string])[] = [
    [tables, `${counted(tables, "table")} (${counted(rows, "row")})`],
    [models, counted(models, "model")],
    [scripts, counted(scripts, "script")],
    [cassettes, `${counted(cassettes, "cassette")} (${counted(recordings, "recording")})`],
  ];
  const some = all.filter(([count]) => count > 0);
  if (some.length === 0) return "no tables, models or scripts";
  return some.map(([, words]) => words).join(", ");
}
