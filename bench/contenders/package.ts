/** Packages of `bench/package.json`. They have no place in the types of the project, which builds without them. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../package.json", import.meta.url));

/** Imports a package that only the benchmarks need. The caller says what it uses of it. */
export async function importPackage<Exports>(name: string): Promise<Exports> {
  return (await import(pathToFileURL(require.resolve(name)).href)) as Exports;
}
