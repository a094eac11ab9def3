import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnExec } from "./exec-process.ts";

const project = fileURLToPath(new URL("../../../examples/vitest-project", import.meta.url));

test("exits 0 when the tests of the example project pass", async () => {
  const exec = spawnExec(["--", "npx", "vitest", "run"], project);
  const code = await exec.exit;
  expect(exec.out()).toMatch(/Tests +2 passed/);
  expect(code).toBe(0);
});

test("exits with vitest's code when one of them fails", async () => {
  const other = { products: [{ id: 1, title: "Kettle", stock: 1 }] };
  const { path } = await temporaryFolder({ "other.json": other });
  const exec = spawnExec([`${path}/other.json`, "--", "npx", "vitest", "run"], project);
  const code = await exec.exit;
  expect(exec.out()).toMatch(/Tests +1 failed \| 1 passed/);
  expect(code).toBe(1);
});
