import { defineConfig } from "vitest/config";

/** Run by describe-contract.test.ts. */
export default defineConfig({ test: { include: ["*.contract-run.ts"] } });
