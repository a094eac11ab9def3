import { counted } from "../errors/counted.ts";
import type { AnswerDetails, Answerer, AnswerScene } from "../http/answerer.ts";
import { Database } from "../store/database.ts";
import type { Condition } from "../store/operators.ts";
import type { Query } from "../store/query.ts";
import type { TableSchema } from "../store/schema.ts";
import type { Table } from "../store/table.ts";
import type { RowTarget } from "./plan.ts";

/** What a table was asked: for the rows of a query, or for the one row that is changed. */
export type Wanted = Query | RowTarget;

/**
 * A table's answer, as log and journal tell of it. It keeps what was asked and no rows, so the plan is that of the table
 * as it is when somebody asks.
 */
export class TableAnswer implements Answerer {
  readonly #words: string;
  readonly #count: number;
  readonly #schema: TableSchema;
  readonly #wanted: Wanted | undefined;

  /** `words` are the method and the table's name, `wanted` is undefined where a row was added. */
  // Not an options object, which would be one more for each request.
  // oxlint-disable-next-line max-params
  constructor(words: string, count: number, schema: TableSchema, wanted: Wanted | undefined) {
    this.#words = words;
    this.#count = count;
    this.#schema = schema;
    this.#wanted = wanted;
  }

  label(): string {
    return `${this.#words}: ${counted(this.#count, "row")}`;
  }

  details({ tables }: AnswerScene): AnswerDetails {
    const table = tables instanceof Database ? tables.table(this.#schema.name) : undefined;
    const query = this.#wanted && queryOf(this.#schema, this.#wanted);
    if (table === undefined || query === undefined || !this.#fits(table, query)) return {};
    return { plan: table.explain(query) };
  }

  /** Whether the table is still the same, or at least has the columns that were asked for. */
  #fits({ schema }: Table, { where, sort }: Query): boolean {
    if (schema === this.#schema) return true;
    const known = new Set(schema.columns.map(({ name }) => name));
    const columns = [...where, ...(sort?.by ?? [])].map(({ column }) => column);
    return columns.every((column) => known.has(column));
  }
}

/** The query that finds the row of a change; undefined where no text says its key. */
function queryOf({ primaryKey }: TableSchema, wanted: Wanted): Query | undefined {
  if (!("key" in wanted)) return wanted;
  const where = primaryKey.flatMap((column, place): readonly Condition[] => {
    const value = wanted.key[place] ?? null;
    return typeof value === "object" ? [] : [{ column, operator: "eq", value: String(value) }];
  });
  return where.length === primaryKey.length ? { where } : undefined;
}
