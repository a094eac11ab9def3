import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Problem } from "./fuzz-kind.ts";

/** What writes to a path. Whoever opens a file to write says so by its second argument. */
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
  "unlink",
  "unlinkSync",
  "copyFile",
  "copyFileSync",
] as const;
const promised = [
  "writeFile",
  "appendFile",
  "mkdir",
  "rename",
  "rm",
  "unlink",
  "copyFile",
] as const;

type Operation = (...given: unknown[]) => unknown;

/** Notes each write of this process outside of the folder for temporary files, while it is open. */
export class WriteWatch {
  readonly #noted: string[] = [];
  readonly #restore: (() => void)[] = [];

  constructor() {
    this.#watch(fs, writers);
    this.#watch(fs.promises, promised);
    syncBuiltinESMExports();
  }

  take(): Problem {
    const [path] = this.#noted.splice(0);
    return path === undefined ? undefined : `a file was written: ${path}`;
  }

  close(): void {
    for (const restore of this.#restore) restore();
    syncBuiltinESMExports();
  }

  #watch(module: object, names: readonly string[]): void {
    for (const name of names) {
      const original = Reflect.get(module, name) as Operation;
      const note = (path: unknown): void => this.#note(path);
      const noting = function (this: unknown, ...given: unknown[]): unknown {
        note(given[0]);
        return original.apply(this, given);
      };
      Reflect.set(module, name, noting);
      this.#restore.push(() => Reflect.set(module, name, original));
    }
  }

  #note(given: unknown): void {
    const path = given instanceof URL ? fileURLToPath(given) : String(given);
    const below = relative(tmpdir(), resolve(path));
    if (below.startsWith("..")) this.#noted.push(path);
  }
}
