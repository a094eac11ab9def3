import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, inject, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = inject("installed");
const modules = join(folder, "node_modules");
const own = join(modules, "backlot");

/** What npm notes down of an installed package. */
interface LockedPackage {
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default?: string }>>;
}

const installed: readonly (readonly [path: string, LockedPackage])[] = Object.entries(
  JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")).packages,
);
const manifest: Manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));

/** Node 20 lacks some modules that newer ones have, such as `node:sqlite`. */
function isOfNode(path: string): boolean {
  return isBuiltin(path) || path.startsWith("node:");
}

function bytesOf(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((total, name) => total + bytesOf(join(path, name)), 0);
}

test("the install is one package of at most 9 MB, without optional peers", () => {
  expect(installed.map(([path]) => path)).toEqual(["node_modules/backlot"]);
  expect(bytesOf(modules)).toBeLessThanOrEqual(9_000_000);
});

test("nothing runs when it is installed", () => {
  const running = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(running).toEqual([]);
  const before = ["preinstall", "install", "postinstall"].filter(
    (name) => name in manifest.scripts,
  );
  expect(before).toEqual([]);
});

const permissive = ["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"];

test("all that is installed has a permissive licence", () => {
  const others = installed.filter(([, { license = "" }]) => !permissive.includes(license));
  expect(others).toEqual([]);
});

test("the licences of what is built into the package are in it", () => {
  const names = readdirSync(join(own, "dist/licences"));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const licence = readFileSync(join(own, "dist/licences", name), "utf8");
    expect(licence).toMatch(
      /MIT [Ll]icense|ISC License|Apache License|^Copyright Eemeli Aro|^Faker - Copyright/,
    );
  }
});

test.each([
  ["publint", "--strict"],
  ["attw", "--profile", "esm-only"],
])("%s finds nothing wrong with the packed package", (program, ...options) => {
  const { status, stdout, stderr } = spawnSync(
    join(root, "node_modules/.bin", program),
    [inject("tarball"), ...options],
    { encoding: "utf8" },
  );
  expect(status, stdout + stderr).toBe(0);
});

test("the package imports what it depends on, and nothing else", async () => {
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "object" && entry.default !== undefined ? [entry.default] : [],
  );
  const { metafile } = await build({
    entryPoints: [...entries, "./dist/command/start-code.js"].map((entry) => join(own, entry)),
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "out",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const names = imports
    // "<runtime>" is what esbuild adds to read CommonJS.
    .filter(({ external, path }) => external && path !== "<runtime>" && !isOfNode(path))
    .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  expect(manifest.dependencies).toBeUndefined();
  const declared = Object.keys(manifest.peerDependencies);
  expect([...new Set(names)].filter((name) => !declared.includes(name))).toEqual([]);
});
