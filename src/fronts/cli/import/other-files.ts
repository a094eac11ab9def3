import { realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, isAbsolute, relative, resolve, sep } from "node:path";
import { failed, ok, type Result } from "../../../core/errors/result.ts";
import { decodedOrSent } from "../../../core/http/url-parts.ts";
import { parseJson } from "../../../core/schema/json.ts";
import type { OtherFileRead, ReadOtherFile } from "../extras.ts";

/** A description of an interface is never larger. */
const mostBytes = 100_000_000;

/**
 * Reads the files that a document refers to, each once. They must be in the document's folder or below, or in the
 * working directory if the document is there.
 */
export function otherFiles(file: string, cwd: string): ReadOtherFile {
  const document = resolve(cwd, file);
  const folders = [dirname(document), ...(isWithin(document, cwd) ? [cwd] : [])];
  const known = new Map<string, Promise<OtherFileRead>>();
  return (reference, from) => {
    const path = resolve(dirname(from ?? document), decodedOrSent(reference));
    const found = known.get(path) ?? readWithin(path, folders);
    known.set(path, found);
    return found;
  };
}

async function readWithin(path: string, folders: readonly string[]): Promise<OtherFileRead> {
  return { name: path, content: await contentWithin(path, folders) };
}

async function contentWithin(
  path: string,
  folders: readonly string[],
): Promise<Result<unknown, string>> {
  try {
    if (!folders.some((folder) => isWithin(path, folder))) return failed(isOutside);
    const real = realpathSync(path);
    if (!folders.some((folder) => isWithin(real, realpathSync(folder)))) return failed(isOutside);
    const stats = statSync(real);
    if (!stats.isFile()) return failed("it is no file");
    if (stats.size > mostBytes) return failed("it is larger than 100 MB");
    return await valueIn(real);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return failed(code === "ENOENT" ? "there is no such file" : message);
  }
}

const isOutside =
  "it is outside of the document's folder. Run the import in a folder that has both";

async function valueIn(path: string): Promise<Result<unknown, string>> {
  const text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  const value = parseJson(text);
  if (value !== undefined) return ok(value);
  if (extname(path).toLowerCase() === ".json") return failed("it is not JSON");
  const { readYaml } = await import("./read-yaml.ts");
  const read = readYaml(text);
  return "line" in read ? failed(`line ${read.line}: ${read.message}`) : ok(read.value);
}

/** Whether a path is a folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
