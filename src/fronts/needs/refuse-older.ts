import { EmulatorError } from "../../core/errors/emulator-error.ts";

/** What an entry point needs of a package that its user installs. */
interface Need {
  /** The oldest version with which the entry's own tests pass, as major and minor. */
  readonly oldest: readonly [major: number, minor: number];
  /** What to install instead of an older version: it must run on every Node that Backlot supports. */
  readonly install: string;
}

type NeededPackage = "kysely" | "msw" | "pg" | "vite" | "vitest";

const needs: Readonly<Record<NeededPackage, Need>> = {
  kysely: { oldest: [0, 28], install: "kysely@0.28" },
  msw: { oldest: [2, 14], install: "msw@2" },
  pg: { oldest: [8, 4], install: "pg@8" },
  vite: { oldest: [6, 0], install: "vite@8" },
  vitest: { oldest: [2, 1], install: "vitest@4" },
};

const oldestNode = [20, 19] as const;

/**
 * Throws `ERR_VERSION_TOO_OLD` if the package that `module` would import is too old for an entry point. If the version
 * cannot be found out, nothing is thrown.
 */
export function refuseOlder(entry: string, name: NeededPackage, module: string): void {
  const found = installedVersion(name, module);
  const { oldest, install } = needs[name];
  if (found === undefined || !isOlder(found, oldest)) return;
  throw new EmulatorError(
    "ERR_VERSION_TOO_OLD",
    `${entry} cannot work with ${name} ${found}: it needs ${name} ${oldest.join(".")} or newer. ` +
      `Install one: npm install --save-dev ${install}.`,
  );
}

/** Throws `ERR_VERSION_TOO_OLD` if the runtime is a Node that is too old. */
export function refuseOlderNode(): void {
  const { process, Bun, Deno } = globalThis as Host;
  const found = process?.versions?.node;
  // Other runtimes report the version of the Node that they resemble.
  const isNode = found !== undefined && Bun === undefined && Deno === undefined;
  if (!isNode || !isOlder(found, oldestNode)) return;
  throw new EmulatorError(
    "ERR_VERSION_TOO_OLD",
    `Backlot cannot work with Node ${found}: it needs Node ${oldestNode.join(".")} or newer. Install one from https://nodejs.org.`,
  );
}

function isOlder(found: string, [major, minor]: readonly [major: number, minor: number]): boolean {
  const [foundMajor = 0, foundMinor = 0] = found.split(".").map(Number);
  return foundMajor === major ? foundMinor < minor : foundMajor < major;
}

/** Globals of runtimes beyond those of the web. Pages have none of them. */
interface Host {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    readonly getBuiltinModule?: BuiltinModule;
  };
  readonly Bun?: unknown;
  readonly Deno?: unknown;
}

/** The function that loads Node's modules. They cannot be imported, since these entry points run in pages, too. */
interface BuiltinModule {
  (name: "node:fs"): { readonly readFileSync: (path: string, encoding: "utf8") => string };
  (name: "node:module"): {
    readonly createRequire: (module: string) => {
      readonly resolve: { readonly paths: (name: string) => readonly string[] | null };
    };
  };
}

/**
 * The version of a package that a module would import. Undefined if it is not installed, or in pages and older Nodes.
 */
function installedVersion(name: string, module: string): string | undefined {
  const load = (globalThis as Host).process?.getBuiltinModule;
  if (load === undefined || !module.startsWith("file:")) return undefined;
  const folders = load("node:module").createRequire(module).resolve.paths(name) ?? [];
  for (const folder of folders) {
    try {
      return JSON.parse(load("node:fs").readFileSync(`${folder}/${name}/package.json`, "utf8"))
        .version;
    } catch {
      // The package is not in this folder.
    }
  }
  return undefined;
}
