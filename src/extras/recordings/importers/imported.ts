import type { JsonPath } from "../../../core/schema/json.ts";

/** A file of a fixtures folder. */
export interface ImportedFile {
  /** Within the folder: `chats/weather.json`. */
  readonly name: string;
  readonly text: string;
}

/** Something of a file that could not be taken over, or not as it was. */
export interface ImportRemark {
  /** Where in the file. */
  readonly path: JsonPath;
  readonly message: string;
  /** The file, where several are imported. Default: the one. */
  readonly file?: string;
}

/** What another tool's file comes to as fixtures. */
export interface Imported {
  readonly files: readonly ImportedFile[];
  readonly remarks: readonly ImportRemark[];
}

/** Told what could not be taken over, and where that stands. */
export type Tell = (path: JsonPath, message: string) => void;

/** A file of the folder with a value as JSON. */
export function jsonFile(name: string, value: unknown): ImportedFile {
  return { name, text: `${JSON.stringify(value, undefined, 2)}\n` };
}

/** Collects remarks. The same one is made once. */
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
