import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolders } from "../../node/make-folders.ts";
import { replaceFile } from "../../node/replace-file.ts";
import { realPath } from "../write-file.ts";

/**
 * What is in a file's place: nothing, the beginning of its text (after an interrupted copy, or on a full disk), the
 * whole text, or something else.
 */
export type Present = "nothing" | "beginning" | "whole" | "other";

/** Whether a file is still to be written. */
export function isIncomplete(present: Present): boolean {
  return present === "nothing" || present === "beginning";
}

/** Finds out what is in a file's place. Rejects with the system's error. */
export async function lookAt(path: string, text: string): Promise<Present> {
  const there = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (there === undefined) return "nothing";
  // Compared as bytes, since the file may end within a character.
  const whole = Buffer.from(text);
  if (!whole.subarray(0, there.length).equals(there)) return "other";
  return there.length === whole.length ? "whole" : "beginning";
}

/**
 * Writes a file and its folders, unless the whole text or something else is already there. Resolves with what was
 * there. Rejects with the system's error.
 */
export async function writeOnce(path: string, text: string): Promise<Present> {
  const present = await lookAt(path, text);
  if (!isIncomplete(present)) return present;
  await makeFolders(dirname(path));
  await replaceFile(realPath(path), [text]);
  return present;
}
