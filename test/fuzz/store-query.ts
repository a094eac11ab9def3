import type { Query, Sort } from "../../src/core/store/table.ts";
import type { TableSchema } from "../../src/core/store/schema.ts";
import type { FuzzQuery } from "./fuzz-case.ts";

/** The query as the service's profile hands it to the store. */
export function storeQuery(schema: TableSchema, query: FuzzQuery): Query {
  const { where, limit, offset } = query;
  return { where, sort: sortOf(schema, query), limit, offset };
}

function sortOf(schema: TableSchema, { sort, ties }: FuzzQuery): Sort {
  if (ties === "as planned" || ties === "any") return { by: sort };
  const keys = schema.withoutRowId === true ? schema.primaryKey : [];
  return {
    by: [...sort, ...keys.map((column) => ({ column, descending: false }))],
    rowIdDescending: ties === "descending",
  };
}
