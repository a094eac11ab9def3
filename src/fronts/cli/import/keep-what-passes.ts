import { isEmulatorError } from "../../../core/errors/emulator-error.ts";
import { readFixtureFiles } from "../../../core/fixture-set/read-fixtures.ts";
import { defined, isObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import type { Imported, ImportedFile } from "../extras.ts";

/** A way to make an invalid table valid by leaving something out. */
interface Rescue {
  readonly says: string;
  /** Reduces the table. Undefined: the table is left out. */
  readonly reduce: ((table: JsonObject) => JsonObject) | undefined;
}

/** The rescues, from the smallest loss to the largest. */
const rescues: readonly Rescue[] = [
  {
    says: "its references, defaults and NOT NULL were left out",
    reduce: (table) => ({ ...table, columns: plainColumns(table["columns"]) }),
  },
  {
    says: "its made-up rows were left out",
    reduce: (table) => ({
      ...defined({ ...table, generate: undefined }),
      rows: table["rows"] ?? [],
    }),
  },
  { says: "its rows were left out", reduce: (table) => ({ ...table, rows: [] }) },
  { says: "the table was left out", reduce: undefined },
];

function plainColumns(columns: unknown): unknown {
  if (!isObject(columns)) return columns;
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      isObject(column) ? (column["type"] ?? "ANY") : column,
    ]),
  );
}

/** Leaves out what would not pass `check`, so that an invalid table does not spoil the others. */
export async function keepWhatPasses({ files, remarks }: Imported): Promise<Imported> {
  const told = [...remarks];
  let kept = files;
  const tried = new Map<string, number>();
  // Each round reduces every table that still has a problem.
  for (;;) {
    const problems = await problemsOf(kept);
    const broken = new Map<string, string>();
    for (const { file = "", message } of problems) {
      if (!broken.has(file)) broken.set(file, message);
    }
    const tables = kept.filter(({ name }) => broken.has(name) && name.startsWith("tables/"));
    if (tables.length === 0) return { files: kept, remarks: told };
    const reduced = new Map<string, ImportedFile | undefined>();
    for (const file of tables) {
      const step = tried.get(file.name) ?? 0;
      tried.set(file.name, step + 1);
      const rescue = rescues[Math.min(step, rescues.length - 1)];
      const value = parseJson(file.text);
      const table: unknown = isObject(value) ? rescue?.reduce?.(value) : undefined;
      const text = `${JSON.stringify(table, undefined, 2)}\n`;
      reduced.set(file.name, table === undefined ? undefined : { name: file.name, text });
      const name = file.name.slice("tables/".length, -".json".length);
      const says = table === undefined ? "the table was left out" : rescue?.says;
      const message = `${JSON.stringify(name)}: ${says}: ${broken.get(file.name)}`;
      told.push({ path: [], message });
    }
    kept = kept.flatMap((file) =>
      reduced.has(file.name) ? (reduced.get(file.name) ?? []) : [file],
    );
  }
}

async function problemsOf(
  files: readonly ImportedFile[],
): Promise<readonly { readonly file?: string; readonly message: string }[]> {
  try {
    // Only tables are checked, since importers have checked everything else.
    const tables = files.filter(({ name }) => name.startsWith("tables/"));
    await readFixtureFiles(tables.map((file) => ({ path: file.name, ...file })));
    return [];
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    return error.problems;
  }
}
