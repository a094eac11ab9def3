import { readFileSync } from "node:fs";

/** A row of the table: tests of one thing, which pass or fail together. */
export interface Suite {
  readonly name: string;
  /** Its files, as vitest names them. */
  readonly files: RegExp;
}

/** What the project's own tests are of, by where they are. The first that fits has a file. */
export const suites: readonly Suite[] = [
  { name: "`emulator.fetch`: tables, chats, fixtures", files: /\/test\/(?:core|extras|fuzz)\// },
  { name: "every transport, and the SDKs", files: /\/test\/contract\// },
  { name: "the command line", files: /\/test\/fronts\/cli\// },
  { name: "the server", files: /\/test\/fronts\/node\// },
  { name: "msw", files: /\/test\/fronts\/msw\// },
  { name: "Vitest", files: /\/test\/fronts\/vitest\// },
  { name: "the Vite plugin", files: /\/test\/fronts\/vite\// },
  { name: "our service worker", files: /\/test\/fronts\/page\/(?:long\/)?(?:own|start)-worker/ },
  { name: "the console and other pages", files: /\/test\/fronts\/page\// },
  { name: "the options of every entry", files: /\/test\/fronts\/[^/]+\.test\.ts$/ },
  { name: "agents", files: /\/examples\/agents\// },
  { name: "the packed package", files: /\/test\/(?:package|examples)\// },
];

/** How many tests of a suite passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

/** Counts by suite what vitest's JSON reporter wrote. Suites without tests are left out. */
export function countBySuite(report: string): ReadonlyMap<string, Count> {
  const { testResults }: { testResults: readonly FileReport[] } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  const counts = new Map<string, Count>();
  for (const { name, status, assertionResults } of testResults) {
    const suite = suites.find(({ files }) => files.test(name));
    if (suite === undefined) throw new Error(`No suite of the matrix has ${name}.`);
    const { passed, failed } = counts.get(suite.name) ?? { passed: 0, failed: 0 };
    const count = (wanted: string): number =>
      assertionResults.filter((result) => result.status === wanted).length;
    // A file that cannot be loaded has no results, and failed all the same.
    const unloaded = status === "failed" && assertionResults.length === 0 ? 1 : 0;
    counts.set(suite.name, {
      passed: passed + count("passed"),
      failed: failed + count("failed") + unloaded,
    });
  }
  return counts;
}
