import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where npm puts a runtime: a package for each platform, of which it installs those that fit. */
export interface BinaryPlace {
  readonly scope: string;
  readonly prefix: string;
  readonly path: string;
}

/** A binary that runs here, and what it calls itself. */
export interface Binary {
  readonly path: string;
  readonly version: string;
}

/** The first binary that runs on this machine, if npm had one for it. */
export function installedBinary(
  modules: string,
  { scope, prefix, path }: BinaryPlace,
): Binary | undefined {
  const folder = join(modules, scope);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const binary = join(folder, name, path);
    const { status, stdout } = spawnSync(binary, ["--version"], { encoding: "utf8" });
    const version = /\d[\d.-]*/.exec(stdout ?? "")?.[0];
    if (status === 0 && version !== undefined) return { path: binary, version };
  }
  return undefined;
}
