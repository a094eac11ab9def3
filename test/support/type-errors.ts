import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const user = fileURLToPath(new URL("user", import.meta.url));

/** How the user's compiler finds modules. */
export type Resolution = "nodenext" | "bundler";

/** How the programs are checked. */
export interface Checked {
  readonly resolution: Resolution;
  /** True: the types of libraries are only read, which takes a quarter of the time. */
  readonly skipLibCheck?: boolean;
}

/** The programs, by their files: those with other packages, and one that has only Backlot. */
export const withPeers: readonly string[] = readdirSync(user);
export const withoutPeers: readonly string[] = ["program.mts"];

/** Writes a user's programs into a project that has the package, and a config for each resolution. */
export function writeUser(project: string, files: readonly string[]): void {
  cpSync(user, project, { recursive: true });
  for (const moduleResolution of ["nodenext", "bundler"] as const) {
    const module = moduleResolution === "bundler" ? "esnext" : moduleResolution;
    const compilerOptions = {
      strict: true,
      allowJs: true,
      checkJs: true,
      noEmit: true,
      skipLibCheck: false,
      resolveJsonModule: true,
      target: "es2022",
      lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
      types: ["node"],
      module,
      moduleResolution,
    };
    const config = { compilerOptions, files };
    writeFileSync(configOf(project, moduleResolution), JSON.stringify(config));
  }
}

/**
 * What a TypeScript, by its folder, says against the programs and the package's own types. What it says against
 * those of other packages is theirs.
 */
export function typeErrors(
  typescript: string,
  project: string,
  { resolution, skipLibCheck = false }: Checked,
): readonly string[] {
  const config = configOf(project, resolution);
  const args = [join(typescript, "bin/tsc"), "-p", config, "--skipLibCheck", String(skipLibCheck)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: "utf8",
  });
  const errors = stdout.split("\n").filter((line) => /\berror TS\d/.test(line));
  if (status !== 0 && errors.length === 0) return [stdout + stderr];
  return errors.filter((line) => !/(?:^|\/)node_modules\/(?!backlot\/)/.test(line));
}

function configOf(project: string, resolution: Resolution): string {
  return join(project, `tsconfig.${resolution}.json`);
}
