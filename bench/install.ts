/** Sees to the packages that only the benchmarks need. */
import { fileURLToPath } from "node:url";
import { hasOwnPackages, installOwnPackages } from "../scripts/compat/own-packages.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Installs the packages, unless all are there in the versions of the lockfile. */
export function installPackages(): void {
  if (hasOwnPackages(folder)) return;
  console.log("Installing what the benchmarks need into bench/node_modules …");
  installOwnPackages(folder);
}
