import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import type { Emulated } from "./ask-emulator.ts";
import type { Patience } from "./answer.ts";

/** A row as JSON has it. */
export type PlainRow = Readonly<Record<string, unknown>>;

/** A table that the contract checks ask for. It has rows. */
export interface TableSubject {
  readonly name: string;
  /** As clients see them; not more than some hundred. */
  readonly rows: readonly PlainRow[];
  /** The column of the primary key. Undefined: there is none, or there are several. */
  readonly key: string | undefined;
  /** Columns whose values are there once only, besides the key. */
  readonly unique: readonly string[];
  /** Columns of texts that may have any text. */
  readonly free: readonly string[];
}

/** What contract checks find to ask for in a fixture set. */
export interface VerifySubject {
  /** The id of a model that chats. */
  readonly model: string | undefined;
  readonly table: TableSubject | undefined;
}

/** Looks for what to ask in fixtures: a chat model, and a table with rows, if there is one with a key of one column. */
export async function subjectOf(
  fixtures: FixtureSet,
  emulated: Emulated,
  patience: Patience,
): Promise<VerifySubject> {
  const model = fixtures.models.find(({ kind }) => kind === "chat")?.id;
  const full = fixtures.tables.filter(({ rows }) => rows.length > 0);
  const chosen = full.find(({ schema }) => schema.primaryKey.length === 1) ?? full[0];
  if (chosen === undefined) return { model, table: undefined };
  const { name, primaryKey, columns } = chosen.schema;
  const rows = await readRows(name, emulated, patience);
  if (rows.length === 0) return { model, table: undefined };
  const key = primaryKey.length === 1 ? primaryKey[0] : undefined;
  const others = columns.filter((column) => column.name !== key);
  const unique = others.filter((column) => column.unique);
  const free = others.filter(
    ({ unique: isUnique, references, type }) =>
      !isUnique && references === undefined && type.toUpperCase() === "TEXT",
  );
  return { model, table: { name, rows, key, unique: namesOf(unique), free: namesOf(free) } };
}

function namesOf(columns: readonly { readonly name: string }[]): readonly string[] {
  return columns.map(({ name }) => name);
}

async function readRows(
  table: string,
  emulated: Emulated,
  patience: Patience,
): Promise<readonly PlainRow[]> {
  const { body } = await emulated.ask(
    {
      interface: "rest",
      method: "GET",
      path: `/${encodeURIComponent(table)}`,
      query: "limit=200",
      headers: {},
      body: undefined,
    },
    patience,
  );
  return body.kind === "json" ? rowsIn(body.value) : [];
}

/** The rows of an answer of the tables. */
export function rowsIn(body: unknown): readonly PlainRow[] {
  if (typeof body !== "object" || body === null || !("result" in body)) return [];
  const { result } = body;
  return Array.isArray(result) ? result.filter((row) => isRow(row)) : [];
}

function isRow(value: unknown): value is PlainRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
