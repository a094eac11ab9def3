import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolders } from "../../node/make-folders.ts";
import { replaceFile } from "../../node/replace-file.ts";
import { realPath } from "../write-file.ts";

/**
 * What is in a file's place: nothing, only the beginning of its text, as an interrupted copy or a full disk leaves it,
 * the whole text, or something else.
 */
export type Present = "nothing" | "beginning" | "whole" | "other";

/** Whether a file is still to be written. */
export function isIncomplete(present: Present): boolean {
  return present === "nothing" || present === "beginning";
}

/** Looks at a file's place. Rejects with the system's error. */
export async function lookAt(path: string, text: string): Promise<Present> {
  const there = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (there === undefined) return "nothing";
  // As bytes: the cut may be within a character.
  const whole = Buffer.from(text);
  if (!whole.subarray(0, there.length).equals(there)) return "other";
  return there.length === whole.length ? "whole" : "beginning";
}

/**
 * Writes a file, and the folders that it is in, unless its place has the whole text or something else, which stays as
 * it is. Resolves with what was there. Rejects with the system's error.
 */
export async function writeOnce(path: string, text: string): Promise<Present> {
  const present = await lookAt(path, text);
  if (!isIncomplete(present)) return present;
  await makeFolders(dirname(path));
  await replaceFile(realPath(path), [text]);
  return present;
}
