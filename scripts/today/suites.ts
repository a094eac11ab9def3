import { readFileSync } from "node:fs";

/** A suite and how it went. */
export interface Suite {
  readonly name: string;
  readonly tests: number;
  readonly failed: number;
  /** The time of its tests, added up. */
  readonly seconds: number;
}

/** The suites, each with its files. */
const suites = {
  docs: /test\/package\/readme\.test\.ts$/,
  types: /package-of-today\/types\.test\.ts$/,
  entries: /package-of-today\/(?!types)/,
  clients: /\.contract\.test\.ts$/,
  msw: /test\/fronts\/msw\//,
} as const;

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly duration?: number }[];
}

/** Reads what vitest wrote as JSON. */
export function suitesOf(found: string): readonly Suite[] {
  const { testResults }: { testResults: readonly FileReport[] } = JSON.parse(
    readFileSync(found, "utf8"),
  );
  return Object.entries(suites).map(([name, files]) => {
    const its = testResults.filter((file) => files.test(file.name.replaceAll("\\", "/")));
    const results = its.flatMap(({ assertionResults }) => assertionResults);
    // A file that cannot be loaded has no results, and failed all the same.
    const unloaded = its.filter(
      (file) => file.status === "failed" && file.assertionResults.length === 0,
    );
    const spent = results.reduce((sum, { duration = 0 }) => sum + duration, 0);
    return {
      name,
      tests: results.length + unloaded.length,
      failed: results.filter(({ status }) => status === "failed").length + unloaded.length,
      seconds: Math.round(spent / 1000),
    };
  });
}
