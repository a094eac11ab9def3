import { defineConfig } from "vitest/config";
import { ProgressReporter } from "./test/support/progress-reporter.ts";
import base, {
  fewInBrowser,
  inBrowser,
  longAlone,
  longInBrowser,
  ofThePackage,
  reportFile,
  longInNode,
  shared,
} from "./vitest.config.ts";

/** What only the gate runs: the packed package, the rest of the contract in a browser, and properties tried on. */
export default defineConfig({
  test: {
    ...base.test,
    reporters: [new ProgressReporter({ takes: "about six minutes on two cores" }), ...reportFile],
    projects: [
      {
        test: {
          ...shared,
          name: "long",
          include: [
            "test/{core,extras}/**/*.property.test.ts",
            // With tables of a database server, too.
            "test/core/store/table-{reads,writes}.test.ts",
            // Over every transport.
            "test/contract/recorded.contract.test.ts",
            ...longInNode,
          ],
          globalSetup: [
            ...shared.globalSetup,
            "test/support/command.ts",
            "test/support/postgres/global-setup.ts",
          ],
          env: { LONG_TESTS: "1" },
          // A property that is tried hundreds of times takes 20 s alone, and a minute on a busy machine.
          testTimeout: 240_000,
        },
      },
      { test: { ...shared, name: "alone", include: [...longAlone], isolate: true } },
      {
        test: {
          ...inBrowser,
          name: "browser",
          include: ["test/contract/*.contract.test.ts", ...longInBrowser],
          exclude: [...fewInBrowser],
        },
      },
      {
        test: {
          ...shared,
          name: "package",
          include: [...ofThePackage],
          globalSetup: [
            "test/support/installed-package.ts",
            "test/support/postgres/global-setup.ts",
          ],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
