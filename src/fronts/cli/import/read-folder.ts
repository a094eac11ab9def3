import { readdirSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { isEmulatorError } from "../../../core/errors/emulator-error.ts";
import type { ImportKind, ImportRemark } from "../extras.ts";
import { type ImportSource, readImportSource } from "./read-source.ts";

/** What was found in a folder: the files that can be read, and what is said of the others. */
export interface FolderSources {
  readonly sources: readonly ImportSource[];
  readonly remarks: readonly ImportRemark[];
}

/** So many files of a folder are read. */
const mostFiles = 20_000;

/** What may be a file of a known kind. Others lie beside them. */
const readable: ReadonlySet<string> = new Set([".json", ".har", ".yaml", ".yml", ".json5", ".zip"]);

/** Folders whose files belong to other files, or to nobody. */
const skipped: ReadonlySet<string> = new Set(["__files", "node_modules"]);

/** Reads all files of a folder and of those in it. */
export async function readImportFolder(
  folder: string,
  from: ImportKind | undefined,
  cwd: string,
): Promise<FolderSources> {
  const sources: ImportSource[] = [];
  const remarks: ImportRemark[] = [];
  const files = filesIn(folder, cwd);
  for (const file of files.slice(0, mostFiles)) {
    try {
      sources.push(await readImportSource(file, from, cwd));
    } catch (error) {
      if (!isEmulatorError(error)) throw error;
      const reason = error.message
        .replace(/^Cannot import "[^"]*": /, "")
        .replace(/ Import reads .*$/, "");
      remarks.push({ file, path: [], message: `left out: ${reason}` });
    }
  }
  if (files.length > mostFiles) {
    const message = `left out: the folder has more than ${mostFiles} files. Import its folders one by one`;
    remarks.push({ file: folder, path: [], message });
  }
  return { sources, remarks };
}

function filesIn(folder: string, cwd: string): readonly string[] {
  const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
  return entries
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry): readonly string[] => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".")) return [];
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesIn(path, cwd);
      return entry.isFile() && readable.has(extname(entry.name).toLowerCase()) ? [path] : [];
    });
}
