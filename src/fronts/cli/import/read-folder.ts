import { readdirSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { isEmulatorError } from "../../../core/errors/emulator-error.ts";
import type { ImportKind, ImportRemark } from "../extras.ts";
import { type ImportSource, readImportSource } from "./read-source.ts";

/** The files of a folder that can be read, and remarks on the others. */
export interface FolderSources {
  readonly sources: readonly ImportSource[];
  readonly remarks: readonly ImportRemark[];
}

/** The most files of a folder that are read. */
const mostFiles = 20_000;

/** The endings of files that may be of a known kind. All other files are ignored. */
const readable: ReadonlySet<string> = new Set([".json", ".har", ".yaml", ".yml", ".json5", ".zip"]);

/** Folders whose files are read with other files, or not at all. */
const skipped: ReadonlySet<string> = new Set(["__files", "node_modules"]);

/** Reads all files of a folder, including those in its subfolders. */
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
