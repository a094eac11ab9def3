/** Sees to the packages that only the benchmarks need, and says which contenders can take part. */
import { fileURLToPath } from "node:url";
import { hasOwnPackages, installOwnPackages } from "../scripts/compat/own-packages.ts";
import { type ContenderName, contenderNames, fromPackages, makers } from "./contenders/all.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** Why a contender cannot take part; undefined when it can. */
async function obstacle(name: ContenderName): Promise<string | undefined> {
  try {
    await makers[name]([]);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.split("\n")[0];
  }
}

/** Installs what is missing. Gives those that work here, and tells why the others do not. */
export async function availableContenders(): Promise<readonly ContenderName[]> {
  if (!hasOwnPackages(folder)) {
    console.log("Installing what the benchmarks need into bench/node_modules …");
    // SQLite comes prebuilt, or is compiled. Where neither works, the others still take part.
    if (!installOwnPackages(folder)) installOwnPackages(folder, "--ignore-scripts");
  }
  const available: ContenderName[] = [];
  for (const name of contenderNames) {
    const problem = fromPackages.includes(name) ? await obstacle(name) : undefined;
    if (problem === undefined) available.push(name);
    else console.log(`${name} is not available here, so the others run without it: ${problem}`);
  }
  return available;
}
