import { writeReason } from "./write-file.ts";

/** What differs between making folders and writing files. */
const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOTDIR", "it is not a folder"],
  ["EEXIST", "something else is in the way"],
  ["ENOENT", "no folder can be made there"],
]);

/** Why the system makes no folder, in words. */
export function folderReason(error: unknown): string {
  const { code } = error as Partial<NodeJS.ErrnoException>;
  return reasons.get(code) ?? writeReason(error);
}
