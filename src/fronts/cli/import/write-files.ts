import { readTableFiles } from "../../node/extras.ts";
import {
  EmulatorError,
  invalidOption,
  isEmulatorError,
} from "../../../core/errors/emulator-error.ts";
import type { FixtureFile } from "../../../core/fixture-set/assemble.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { JsonPositions } from "../../../core/fixture-set/json/json-positions.ts";
import { readFixtureFiles } from "../../../core/fixture-set/read-fixtures.ts";
import { showPath } from "../../../core/schema/json.ts";
import type { ImportRemark, ImportedFile } from "../extras.ts";
import { readFixtureTexts } from "../../node/fixture-texts.ts";
import type { Io } from "../io.ts";
import { styleFor } from "../terminal.ts";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** A fixtures folder to write into. */
export interface OutFolder {
  /** Its name in messages. */
  readonly shown: string;
  readonly cwd: string;
}

/** The existing fixtures. Rejects if they are invalid. */
export async function fixturesThere(folder: OutFolder): Promise<FixtureSet | undefined> {
  const files = filesThere(folder);
  return files.length === 0
    ? undefined
    : readFixtureFiles(files, { skipUnsupported: true, readTableFiles });
}

function filesThere({ shown, cwd }: OutFolder): readonly FixtureFile[] {
  const path = resolve(cwd, shown);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) {
    throw invalidOption(
      `Cannot write into ${JSON.stringify(shown)}: it is not a folder. Name a folder: --out fixtures.`,
    );
  }
  return readFixtureTexts(shown, cwd).files;
}

/** Throws if files exist that would be overwritten. */
export function refuseOverwriting(files: readonly ImportedFile[], { shown, cwd }: OutFolder): void {
  const there = files
    .map(({ name }) => join(shown, name))
    .filter((file) => existsSync(resolve(cwd, file)));
  const [first] = there;
  if (first === undefined) return;
  const more = there.length === 1 ? "" : ` and ${there.length - 1} more`;
  throw invalidOption(
    `Cannot write ${JSON.stringify(first)}${more}: it already exists. Name another folder with --out, or add --force to overwrite it.`,
  );
}

/** Rejects if the folder would be invalid with these files. */
export async function checkTogether(
  files: readonly ImportedFile[],
  folder: OutFolder,
): Promise<void> {
  const names = new Set(files.map(({ name }) => name));
  const kept = filesThere(folder).filter(({ name }) => !names.has(name));
  const added = files.map(({ name, text }) => ({ path: join(folder.shown, name), name, text }));
  try {
    await readFixtureFiles([...kept, ...added], {
      skipUnsupported: true,
      otherTables: [],
      readTableFiles,
    });
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    const { message, problems } = error;
    const lines = message.split("\n").slice(1).join("\n");
    throw new EmulatorError(
      "ERR_FIXTURES_INVALID",
      `Cannot import the file: the fixtures in ${JSON.stringify(folder.shown)} would be invalid with it. Nothing was written.\n${lines}`,
      { cause: error, problems },
    );
  }
}

/**
 * Reports what could not be converted, one line each: file, line and column, the place in its structure, the reason.
 */
export function writeRemarks(
  remarks: readonly ImportRemark[],
  { file, text }: { readonly file: string; readonly text: string | undefined },
  { stderr, env }: Pick<Io, "stderr" | "env">,
): void {
  const { yellow } = styleFor(stderr, env);
  // A file is read with places only where there is something to tell.
  const positions =
    text === undefined || remarks.length === 0 ? undefined : new JsonPositions(text);
  for (const { path, message } of remarks) {
    const at = positions?.placeOf({ path, at: "key" });
    const place = at === undefined ? file : `${file}:${at.line}:${at.column}`;
    stderr.write(`${yellow("note:")} ${place}: ${showPath(path)}: ${message}\n`);
  }
}
