import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { ProgressReporter } from "./test/support/progress-reporter.ts";

const waiting = {
  // A busy machine is five times as slow as a quiet one: what is waited for comes, or the test fails.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** What both configurations share: this one for `npm test`, and `vitest.check.config.ts` for `npm run check`. */
export const shared = {
  ...waiting,
  setupFiles: "test/support/property-seed.ts",
  globalSetup: ["test/support/built-console.ts"],
  // Loading the modules anew for each file takes two fifths of the time, and no file changes what another sees.
  isolate: false,
};

export const inBrowser = {
  ...waiting,
  globalSetup: [...shared.globalSetup, "test/support/browser/global-setup.ts"],
  isolate: false,
};

/** The contract's tests that run in a browser at once; the others do in `npm run check`. */
export const fewInBrowser: readonly string[] = [
  "test/contract/{chat-time,snapshots}.contract.test.ts",
];

/** Browser tests beyond one of each behaviour and view: they run in `npm run check`. */
export const longInBrowser: readonly string[] = [
  "test/fronts/page/{foreign-sites,own-worker-lost,own-worker-parts}.test.ts",
  "test/fronts/page/long/*.test.ts",
];

/** Tests that take long, for what they start, try or fill: they run in `npm run check`. */
export const longInNode: readonly string[] = [
  "test/core/emulator/large-{journal,state}.test.ts",
  "test/extras/postgres/{other-programs,outage,shared,values.property}.test.ts",
  "test/extras/recordings/contract/**/*.test.ts",
  "test/extras/recordings/importers/openapi-documents.test.ts",
  "test/extras/recordings/redaction/ordinary-exchanges.test.ts",
  "test/extras/sqlite/dump-large.test.ts",
  "test/examples/*.test.ts",
  "test/fronts/cli/{exec-example,exec-signals,export-at-signals,large-loads,record-proxies,small-heap}.test.ts",
  "test/fronts/msw/{environments,open-answers,open-answers-in-runners}.test.ts",
  "test/fronts/node/{large-live-requests,scale}.test.ts",
  "test/fronts/vite/built-site.test.ts",
  "test/fronts/vitest/{parallel,recorded}-files.test.ts",
  "test/fuzz/**/*-fuzz.test.ts",
  "test/package/progress-reporter.test.ts",
];

/** Tests of the package as it is installed: they run in `npm run check`. */
export const ofThePackage: readonly string[] = [
  "test/package/{budget,codex,console-page,container,executable,install,old-packages,other-languages,packed-links,postgres,readme,size,start-cache,starter-tests,supply,tokenizer,tutorial,types}.test.ts",
];

/** What the matrix reads of a run: a file of JSON, named by the environment. */
export const reportFile: readonly ["json", { outputFile: string }][] =
  process.env["TEST_REPORT"] === undefined
    ? []
    : [["json", { outputFile: process.env["TEST_REPORT"] }]];

/** Those that measure their own process, and so cannot share it with others. The long one runs in `npm run check`. */
const alone = ["test/fronts/node/streams.test.ts"];
export const longAlone: readonly string[] = ["test/fuzz/fuzz-guards.test.ts"];

export default defineConfig({
  test: {
    // Much of the time is waiting for browsers, servers and processes.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    reporters: [
      new ProgressReporter({ takes: "two to four minutes, by the machine" }),
      ...reportFile,
    ],
    silent: "passed-only",
    // The next run, or that of another Node, need not compile again what has not changed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...shared,
          name: "node",
          include: [
            "test/{contract,core,extras,fuzz,package}/**/*.test.ts",
            "test/fronts/{cli,msw,node,vite,vitest}/**/*.test.ts",
            "test/fronts/*.test.ts",
            "examples/agents/*/*.test.ts",
          ],
          exclude: [...alone, ...longAlone, ...longInNode, ...ofThePackage],
          globalSetup: [
            ...shared.globalSetup,
            "test/support/command.ts",
            "test/support/postgres/global-setup.ts",
          ],
          // Much is made and soon forgotten: with room for it, collecting garbage takes a tenth of the time less.
          execArgv: ["--max-semi-space-size=64"],
        },
      },
      { test: { ...shared, name: "alone", include: alone, isolate: true } },
      {
        test: {
          ...inBrowser,
          name: "browser",
          include: ["test/fronts/page/**/*.test.ts", ...fewInBrowser],
          exclude: [...longInBrowser],
        },
      },
    ],
  },
});
