import { join } from "node:path";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";
import base, { shared } from "./vitest.config.ts";
import { root } from "./scripts/compat/scratch.ts";
import { readVersionsOfToday, today } from "./test/support/today.ts";

const names = Object.keys(readVersionsOfToday());

/**
 * Gives the project's own modules the packages of `test/today` in place of those that it develops with. Only what runs
 * the tests is the project's, in that folder too.
 */
const withPackagesOfToday: Plugin = {
  name: "with-packages-of-today",
  enforce: "pre",
  resolveId(id, importer) {
    if (importer?.includes("/node_modules/") === true) return undefined;
    const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
    if (!names.includes(name)) return undefined;
    const home = name === "vitest" ? root : today;
    return this.resolve(id, join(home, "package.json"), { skipSelf: true });
  },
};

const ofThePackage = {
  ...shared,
  globalSetup: "test/support/package-of-today.ts",
  testTimeout: 240_000,
  hookTimeout: 240_000,
};

/** What `npm run check -- today` runs, with the packages that users install today. */
export default defineConfig({
  test: {
    ...base.test,
    projects: [
      {
        test: {
          ...ofThePackage,
          name: "package",
          include: ["test/package/readme.test.ts", "test/package-of-today/*.test.ts"],
        },
      },
      {
        plugins: [withPackagesOfToday],
        test: {
          ...shared,
          name: "clients",
          include: [
            "test/contract/clients/*.contract.test.ts",
            "test/today/*.contract.test.ts",
            "test/fronts/msw/*.test.ts",
          ],
        },
      },
    ],
  },
});
