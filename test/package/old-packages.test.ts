import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { makeProject } from "../../scripts/compat/scratch.ts";

const tarball = inject("tarball");
const scratch = dirname(inject("installed"));

/** Installs beside the package, or only finds out whether npm would. */
async function install(name: string, args: readonly string[]): Promise<void> {
  const cwd = join(scratch, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  await promisify(execFile)("npm", ["install", "--ignore-scripts", ...quiet, ...args], { cwd });
}

// Together, where they go together: to find out takes npm as long for five as for one.
test.concurrent.each(["vite@5 vitest@2.1 msw@2.10 kysely@0.27 pg@7", "vite@6 vitest@3.1", "msw@1"])(
  "npm installs the package beside %s",
  async (others) => {
    const name = `beside-${others.replaceAll(/[@ ]/g, "-")}`;
    const args = ["--package-lock-only", tarball, ...others.split(" ")];
    await expect(install(name, args)).resolves.toBeUndefined();
  },
);

const old = ["vite@5.4.21", "msw@2.10.5", "kysely@0.27.6", "vitest@1.6.1", "pg@8.23.1"];

test("an entry says that it cannot work with a package that is too old", () => {
  const project = join(scratch, "old");
  makeProject(project, [tarball, ...old]);
  const said = (code: string): string => {
    const program = `try { ${code} } catch (error) { console.log(error.code, error.message); }`;
    const args = ["--input-type=module", "--eval", program];
    return execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  };
  const serve = 'await (await import("vite")).createServer({ configFile: false, plugins: [';
  expect(said('await import("backlot/msw")')).toBe(
    "ERR_VERSION_TOO_OLD backlot/msw cannot work with msw 2.10.5: it needs msw 2.14 or newer. Install one: npm install --save-dev msw@2.\n",
  );
  expect(said(`${serve} (await import("backlot/vite")).default() ] })`)).toContain(
    "ERR_VERSION_TOO_OLD backlot/vite cannot work with vite 5.4.21: it needs vite 6.0 or newer.",
  );
  expect(said('await import("backlot/node"); await import("backlot"); console.log("both")')).toBe(
    "both\n",
  );
});

test("the tests of a project say that vitest is too old", async () => {
  const project = join(scratch, "old");
  const text = 'import { createTest } from "backlot/vitest"; createTest();';
  writeFileSync(join(project, "one.test.mjs"), text);
  const run = promisify(execFile)("npx", ["vitest", "run"], { cwd: project });
  await expect(run).rejects.toMatchObject({
    stderr: expect.stringContaining(
      "backlot/vitest cannot work with vitest 1.6.1: it needs vitest 2.1 or newer.",
    ),
  });
});

test("the command says that kysely is too old for tables in PostgreSQL", async () => {
  const project = join(scratch, "old");
  const args = ["backlot", "start", "--port", "0", "--tables", "postgres://127.0.0.1:1/x"];
  await expect(promisify(execFile)("npx", args, { cwd: project })).rejects.toMatchObject({
    code: 1,
    stderr:
      "error: --tables cannot work with kysely 0.27.6: it needs kysely 0.28 or newer. Install one: npm install --save-dev kysely@0.28.\n",
  });
});
