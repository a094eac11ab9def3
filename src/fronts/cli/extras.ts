// The extras of the command line. Large ones are loaded when a command needs them.
import { refuseOlder } from "../needs/refuse-older.ts";

export type { GenerationTarget, TableGeneration } from "../../extras/generate/generate-table.ts";
export {
  asImported,
  guessKind,
  importFormat,
  type ImportKind,
  importKinds,
  type ImportContext,
  ownFormat,
  readRecordings,
  describeContents,
} from "../../extras/recordings/importers/import-formats.ts";
export { describeOtherFile } from "../../extras/recordings/importers/other-files.ts";
export type { RecordedEntry } from "../../extras/recordings/importers/recorded-entries.ts";
export type {
  OtherFileRead,
  ReadOtherFile,
} from "../../extras/recordings/importers/openapi-links.ts";
export type {
  Imported,
  ImportedFile,
  ImportRemark,
} from "../../extras/recordings/importers/imported.ts";
export type { VerifyReport } from "../../extras/recordings/verify/report.ts";
export { loadRecorder } from "../node/extras.ts";
export type { TablesStart } from "../../extras/postgres/postgres-tables.ts";

/** Loads the code that keeps tables in PostgreSQL. */
export async function loadPostgres(): Promise<typeof import("../../extras/postgres/index.ts")> {
  refuseOlder("--tables", "kysely", import.meta.url);
  refuseOlder("--tables", "pg", import.meta.url);
  return import("../../extras/postgres/index.ts");
}

/** Loads the code that generates rows. */
export function loadGenerate(): Promise<typeof import("../../extras/generate/generate-table.ts")> {
  return import("../../extras/generate/generate-table.ts");
}

/** Loads the code that converts an HTTP archive to cassettes. */
export function loadImportHar(): Promise<
  typeof import("../../extras/recordings/importers/har.ts")
> {
  return import("../../extras/recordings/importers/har.ts");
}

/** Loads the code that converts cassettes to scripts and tables. */
export function loadRecordedFixtures(): Promise<
  typeof import("../../extras/recordings/scripts/to-fixtures.ts")
> {
  return import("../../extras/recordings/scripts/to-fixtures.ts");
}

/** Loads the code that compares a service with the fixtures. */
export function loadVerify(): Promise<typeof import("../../extras/recordings/verify/verify.ts")> {
  return import("../../extras/recordings/verify/verify.ts");
}

/** Loads the code that writes the report of a comparison. */
export function loadReports(): Promise<typeof import("../../extras/recordings/verify/report.ts")> {
  return import("../../extras/recordings/verify/report.ts");
}
