import { defineConfig } from "vitest/config";

/** Run by environments.test.ts. */
export default defineConfig({
  test: {
    projects: ["node", "happy-dom", "jsdom"].map((environment) => ({
      test: { name: environment, environment, include: ["same-as-http.mjs"], testTimeout: 30_000 },
    })),
  },
});
