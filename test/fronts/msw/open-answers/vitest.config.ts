import { defineConfig } from "vitest/config";

/** Run by open-answers.test.ts. */
export default defineConfig({ test: { include: ["vitest-tests.ts"], testTimeout: 30_000 } });
