import {
  type Imported,
  type ImportedFile,
  type ImportContext,
  importFormat,
  type ImportRemark,
  readRecordings,
  type RecordedEntry,
} from "../extras.ts";
import type { ImportSource } from "./read-source.ts";

/** What an importer needs besides the source. */
export type SourceContext = (source: ImportSource) => ImportContext;

/**
 * Converts the files of a folder. All recordings together become cassettes, and all WireMock mappings together become
 * tables.
 */
export async function importSources(
  sources: readonly ImportSource[],
  contextOf: SourceContext,
): Promise<Imported> {
  const files = new Map<string, ImportedFile>();
  const remarks: ImportRemark[] = [];
  const add = (imported: Imported, file: string | undefined): void => {
    for (const one of imported.files) {
      const message = `left out: another file gives ${one.name}, too`;
      if (files.has(one.name))
        remarks.push({ path: [], message, ...(file === undefined ? {} : { file }) });
      else files.set(one.name, one);
    }
    remarks.push(
      ...imported.remarks.map((remark) => (file === undefined ? remark : { file, ...remark })),
    );
  };
  const entries = await entriesOf(sources);
  const [first] = sources;
  if (first !== undefined && entries.length > 0) {
    const recorded = sources.filter(({ kind }) => importFormat(kind).entries !== undefined);
    const readAttached = firstOf(recorded.map((source) => source.readAttached));
    add(await readRecordings(entries, { ...contextOf(first), readAttached }), undefined);
  }
  for (const source of joinedMappings(sources)) {
    const { read, entries: areRecordings } = importFormat(source.kind);
    if (areRecordings === undefined) add(await read(source.value, contextOf(source)), source.file);
  }
  return { files: [...files.values()], remarks };
}

async function entriesOf(sources: readonly ImportSource[]): Promise<readonly RecordedEntry[]> {
  const all: RecordedEntry[] = [];
  for (const { kind, value, file } of sources) {
    for (const entry of (await importFormat(kind).entries?.(value)) ?? [])
      all.push({ ...entry, file });
  }
  return all;
}

/** The sources, with all WireMock mappings joined into one source. */
function joinedMappings(sources: readonly ImportSource[]): readonly ImportSource[] {
  const [first, ...more] = sources.filter(({ kind }) => kind === "wiremock");
  if (first === undefined || more.length === 0) return sources;
  const mappings = [first, ...more].flatMap(({ value }) => {
    const { mappings: list } = value;
    return Array.isArray(list) ? (list as readonly unknown[]) : [value];
  });
  return [...sources.filter(({ kind }) => kind !== "wiremock"), { ...first, value: { mappings } }];
}

function firstOf(readers: readonly ImportSource["readAttached"][]): ImportSource["readAttached"] {
  return async (name) => {
    for (const read of readers) {
      const bytes = await read(name);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  };
}
