import { join } from "node:path";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";
import base, { shared } from "./vitest.config.ts";
import { packagesOfToday, today } from "./test/support/today.ts";

/** Gives the project's own modules the packages of `test/today` in place of those that it develops with. */
const withPackagesOfToday: Plugin = {
  name: "with-packages-of-today",
  enforce: "pre",
  resolveId(id) {
    const isRunner = id === "vitest" || id.startsWith("vitest/");
    const isOfToday = packagesOfToday.some((name) => id === name || id.startsWith(`${name}/`));
    if (isRunner || !isOfToday) return undefined;
    return this.resolve(id, join(today, "importer.js"), { skipSelf: true });
  },
};

const ofThePackage = {
  ...shared,
  globalSetup: "test/support/package-of-today.ts",
  testTimeout: 240_000,
  hookTimeout: 240_000,
};

/** What `npm run check:today` runs, with the packages that users install today. */
export default defineConfig({
  test: {
    ...base.test,
    projects: [
      {
        test: {
          ...ofThePackage,
          name: "package",
          include: ["test/package/readme.test.ts", "test/today/*.test.ts"],
          exclude: ["test/today/*.contract.test.ts"],
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
