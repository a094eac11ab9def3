import type { JsonPath } from "../../../core/schema/json.ts";

/** A file of a fixtures folder. */
export interface ImportedFile {
  /** The file's path within the folder: `chats/weather.json`. */
  readonly name: string;
  readonly text: string;
}

/** A remark about a part of a file that could not be imported, or not unchanged. */
export interface ImportRemark {
  /** The place in the file. */
  readonly path: JsonPath;
  readonly message: string;
  /** The name of the file, if several are imported. */
  readonly file?: string;
}

/** The fixtures that another tool's file was converted to. */
export interface Imported {
  readonly files: readonly ImportedFile[];
  readonly remarks: readonly ImportRemark[];
}

/** Notes a part of a file that could not be imported, with its place. */
export type Tell = (path: JsonPath, message: string) => void;

/** A file of a fixtures folder with a value as JSON. */
export function jsonFile(name: string, value: unknown): ImportedFile {
  return { name, text: `${JSON.stringify(value, undefined, 2)}\n` };
}

/** Collects remarks. A repeated remark is kept once. */
export function createRemarks(): { readonly list: ImportRemark[]; readonly tell: Tell } {
  const list: ImportRemark[] = [];
  const seen = new Set<string>();
  const tell: Tell = (path, message) => {
    const key = JSON.stringify([path, message]);
    if (seen.has(key)) return;
    seen.add(key);
    list.push({ path, message });
  };
  return { list, tell };
}
