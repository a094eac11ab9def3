import { expect } from "vitest";
import { isEmulatorError } from "../../../src/core/errors/emulator-error.ts";
import type { FixtureSet } from "../../../src/core/fixture-set/fixture-set.ts";
import {
  type FixtureFile,
  readFixtureDocument,
} from "../../../src/core/fixture-set/read-fixtures.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";

/** The lines of the error that reading ends in, or none. */
async function linesOf(reading: Promise<unknown>): Promise<readonly string[]> {
  try {
    await reading;
    return [];
  } catch (error) {
    if (!isEmulatorError(error) || error.code !== "ERR_FIXTURES_INVALID") throw error;
    return error.message.split("\n").slice(1);
  }
}

export function readText(text: string, name = "db.json"): Promise<FixtureSet> {
  return readFixtureFiles([{ path: name, name, text }], { layout: "document" });
}

/** What is wrong with a document given as text, a line for each problem. */
export function problemsOfText(text: string, name = "db.json"): Promise<readonly string[]> {
  return linesOf(readText(text, name));
}

/** What is wrong with a document given as a value. */
export function problemsOfValue(value: unknown): Promise<readonly string[]> {
  return linesOf(readFixtureDocument(value));
}

/** Files of a folder called `fx`, by name. */
export function folder(files: Readonly<Record<string, string>>): readonly FixtureFile[] {
  return Object.entries(files).map(([name, text]) => ({ path: `fx/${name}`, name, text }));
}

/** What is wrong with a folder. */
export function problemsOfFolder(
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  return linesOf(readFixtureFiles(folder(files)));
}

/** A document with `▸` in front of what is wrong: the document without it, and the place as `line:column`. */
function marked(text: string): { readonly text: string; readonly place: string } {
  const before = text.slice(0, text.indexOf("▸"));
  const column = before.length - before.lastIndexOf("\n");
  return { text: text.replace("▸", ""), place: `${before.split("\n").length}:${column}` };
}

/** Expects one problem, at the mark, and returns its message. */
export async function problemAtMark(markedText: string): Promise<string> {
  const { text, place } = marked(markedText);
  const lines = await problemsOfText(text);
  expect(lines).toEqual([expect.stringContaining(`db.json:${place}: `)]);
  return lines[0]?.slice(`db.json:${place}: `.length) ?? "";
}
