import { counted } from "../../core/errors/counted.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { usualRecordingRules } from "../../core/replay/cassette.ts";
import { importAimock } from "../../extras/recordings/importers/aimock.ts";
import { importCollections } from "../../extras/recordings/importers/collections.ts";
import { importHar } from "../../extras/recordings/importers/har.ts";
import { kindNames } from "../../extras/recordings/importers/import-kind.ts";
import type { Imported } from "../../extras/recordings/importers/imported.ts";
import { importJsonServer } from "../../extras/recordings/importers/json-server.ts";
import { nothingUsable } from "../../extras/recordings/importers/nothing-usable.ts";
import { importOpenApi } from "../../extras/recordings/importers/openapi.ts";
import { exitCodes } from "./failure.ts";
import {
  checkTogether,
  fixturesThere,
  type OutFolder,
  refuseOverwriting,
  writeFiles,
} from "./import-files.ts";
import type { ImportFlags } from "./import-options.ts";
import { writeRemarks } from "./import-remarks.ts";
import { type ImportSource, readImportSource } from "./import-source.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./terminal.ts";

/** What `import` is told. */
export interface ImportOptions extends ImportFlags {
  readonly file: string;
}

const defaultFolder = "fixtures";

/** Writes what another tool's file comes to as fixtures, and tells what could not be taken over. */
export async function importFile(options: ImportOptions, io: Io): Promise<number> {
  const { file, from, out = defaultFolder, force = false } = options;
  const folder: OutFolder = { shown: out, cwd: io.cwd };
  const source = await readImportSource(file, from, io.cwd);
  if (source.isGuessed) {
    io.stderr.write(`${file} looks like ${kindNames[source.kind]} (--from ${source.kind})\n`);
  }
  const { files, remarks } = await importSource(source, folder);
  writeRemarks(remarks, { file, text: source.text }, io);
  if (files.length === 0) {
    throw new EmulatorError(
      "ERR_FIXTURES_UNREADABLE",
      `Cannot import ${JSON.stringify(file)}: nothing in it can be taken over: ${nothingUsable(source.kind, source.value)}. Nothing was written.`,
    );
  }
  if (!force) refuseOverwriting(files, folder);
  await checkTogether(files, folder);
  await writeFiles(files, folder);
  const { green } = styleFor(io.stdout, io.env);
  const names = files.map(({ name }) => `  ${name}\n`).join("");
  const count = counted(files.length, "file");
  io.stdout.write(`${green("imported")} ${file}: ${count} in ${out}\n${names}`);
  return exitCodes.done;
}

async function importSource(
  { kind, value, stem }: ImportSource,
  folder: OutFolder,
): Promise<Imported> {
  switch (kind) {
    case "har": {
      // What the fixtures say is taken out of what is recorded for them.
      const there = await fixturesThere(folder);
      return importHar(value, there?.recording ?? usualRecordingRules);
    }
    case "aimock":
      return importAimock(value, stem);
    case "json-server":
      return importJsonServer(value);
    case "openapi":
      return importOpenApi(value);
    case "data":
      return importCollections(value);
  }
}
