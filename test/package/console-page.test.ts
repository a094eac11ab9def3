import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the page that is served is the one that src/extras/console makes", () => {
  const script = fileURLToPath(new URL("../../scripts/build-console.ts", import.meta.url));
  const run = spawnSync(process.execPath, ["--import", "tsx", script, "--check"], {
    encoding: "utf8",
  });
  expect(run.status, run.stderr).toBe(0);
});
