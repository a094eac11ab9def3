import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Problem } from "./fuzz-kind.ts";

const writers = [
  "writeFile",
  "writeFileSync",
  "appendFile",
  "appendFileSync",
  "createWriteStream",
  "mkdir",
  "mkdirSync",
  "rename",
  "renameSync",
  "rm",
  "rmSync",
  "rmdir",
  "rmdirSync",
  "unlink",
  "unlinkSync",
  "copyFile",
  "copyFileSync",
  "cp",
  "cpSync",
  "link",
  "linkSync",
  "symlink",
  "symlinkSync",
  "truncate",
  "truncateSync",
  "chmod",
  "chmodSync",
] as const;
const readers = [
  "readFile",
  "readFileSync",
  "createReadStream",
  "open",
  "openSync",
  "readdir",
  "readdirSync",
  "opendir",
  "opendirSync",
  "readlink",
  "readlinkSync",
] as const;

/** The files that inputs are kept in while they are tried, each kind's in a folder of its own in this one. */
export const inputFolder: string = join(tmpdir(), "backlot-fuzz-");

/** Where modules come from, which are loaded when they are first needed. */
const modulePath = /[\\/]node_modules[\\/]|\.(?:[cm]?[jt]s|wasm)$/;

type Operation = (...given: unknown[]) => unknown;
type Does = "read" | "written";

/** Notes each file that this process reads or writes, and that is none of an input's, while it is open. */
export class FileWatch {
  readonly #noted: string[] = [];
  readonly #restore: (() => void)[] = [];

  constructor() {
    for (const module of [fs, fs.promises]) {
      this.#watch(module, writers, "written");
      this.#watch(module, readers, "read");
    }
    syncBuiltinESMExports();
  }

  take(): Problem {
    return this.#noted.splice(0)[0];
  }

  close(): void {
    for (const restore of this.#restore) restore();
    syncBuiltinESMExports();
  }

  #watch(module: object, names: readonly string[], does: Does): void {
    for (const name of names) {
      // The promised ones have no `Sync`.
      if (!(name in module)) continue;
      const original = Reflect.get(module, name) as Operation;
      const note = (path: unknown): void => this.#note(path, does);
      const noting = function (this: unknown, ...given: unknown[]): unknown {
        note(given[0]);
        return original.apply(this, given);
      };
      Reflect.set(module, name, noting);
      this.#restore.push(() => Reflect.set(module, name, original));
    }
  }

  #note(given: unknown, does: Does): void {
    // What has no path was opened before.
    if (typeof given === "number") return;
    const path = resolve(given instanceof URL ? fileURLToPath(given) : String(given));
    if (path.startsWith(inputFolder)) return;
    if (does === "read" && modulePath.test(path)) return;
    this.#noted.push(`a file was ${does}: ${relative(process.cwd(), path) || "."}`);
  }
}
