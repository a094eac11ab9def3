import { fileURLToPath } from "node:url";
import { storageFor } from "../../core/settings/resolve-settings.ts";
import { EmulatorError, refuseUnknown } from "../../core/errors/emulator-error.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { type ReadOptions, readFixtureFiles } from "../../core/fixture-set/read-fixtures.ts";
import { requireTokenizer } from "../../core/chat/tokens/require-tokenizer.ts";
import type { StorageRules } from "../../core/store/storage-rules.ts";
import { nodeExtras, tableFileReader } from "./extras.ts";
import { readFixtureTexts } from "./fixture-texts.ts";

/** How fixtures are loaded from disk. */
export interface LoadOptions extends ReadOptions {
  /** The base of relative paths. Default: the process's working directory. */
  readonly cwd?: string;
  /** Ends the reading of SQL dumps, which then rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal;
}

const optionNames = Object.keys({
  cwd: true,
  signal: true,
  seed: true,
  checkTemplates: true,
  onProgress: true,
  skipUnsupported: true,
  storageFor: true,
  warnOfUnreachable: true,
  warnOfSlow: true,
  otherTables: true,
} satisfies Readonly<Record<keyof LoadOptions, true>>);

/**
 * Reads a fixtures file or folder. Rejects with `ERR_FIXTURES_UNREADABLE` or `ERR_FIXTURES_INVALID`, whose
 * problems name files relative to the working directory, and with `ERR_PACKAGE_MISSING` for a tokenizer that is not installed.
 *
 * @example
 * const emulator = await createEmulator({ fixtures: await loadFixtures("fixtures") });
 */
export async function loadFixtures(
  path: string | URL,
  options: LoadOptions = {},
): Promise<FixtureSet> {
  refuseUnknown(options, optionNames, { cannot: "Cannot load fixtures", noun: "option" });
  const { cwd = process.cwd(), signal, ...readOptions } = options;
  const { layout, files } = readFixtureTexts(fixturePath(path), cwd);
  const under = (storage: StorageRules): Promise<FixtureSet> =>
    loadFixtures(path, { ...options, cwd, storageFor: () => storage });
  // By default, the profile named in the fixtures decides.
  const storage = { storageFor: storageFor({}, nodeExtras) };
  const read = { ...storage, ...readOptions, layout, readTableFiles: tableFileReader(signal) };
  const set = await readFixtureFiles(files, read);
  await requireTokenizer(set.settings.tokenizer);
  return { ...set, under };
}

function fixturePath(path: string | URL): string {
  if (typeof path === "string") return path;
  if (path.protocol === "file:") return fileURLToPath(path);
  throw new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot read the fixtures ${path.href}: only local files can be read. Give a file: URL.`,
  );
}
