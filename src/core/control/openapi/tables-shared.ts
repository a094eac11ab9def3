import type { JsonSchema } from "../../schema/schema.ts";
import type { Described } from "./operation.ts";

/** A row, whatever its table's columns. */
export const row: JsonSchema = {
  type: "object",
  description: "A value for each column, by name.",
  additionalProperties: true,
};

/** What GET answers. */
export const rowsResult: JsonSchema = {
  type: "object",
  properties: { result: { type: "array", items: row } },
  required: ["result"],
};

/** What a write answers, with a row as `data` where there is one. */
export function writeResult(data: JsonSchema | undefined): JsonSchema {
  const properties = {
    message: { type: "string" },
    ...(data === undefined ? {} : { data }),
  };
  const result = { type: "object", properties, required: Object.keys(properties) };
  return { type: "object", properties: { result }, required: ["result"] };
}

/** The table in the path, with the names there are. */
export function tableParameter(names: readonly string[]): Described {
  return {
    name: "table",
    in: "path",
    required: true,
    description: "The table's name.",
    schema: { type: "string", ...(names.length === 0 ? {} : { examples: names }) },
  };
}

function query(name: string, description: string, schema: JsonSchema): Described {
  return { name, in: "query", description, schema };
}

/** What of a query's words a profile says of its own. */
interface QueryWords {
  readonly order: Described;
  readonly limit: Described;
  readonly offset: Described;
  readonly filters: string;
}

/** The parameters by which rows are found, sorted and paged. */
export function queryParameters({
  order,
  limit,
  offset,
  filters,
}: QueryWords): readonly Described[] {
  return [
    query("sort_by", "The column that the rows are sorted by. Default: row id order.", {
      type: "string",
    }),
    { name: "order", in: "query", ...order },
    { name: "limit", in: "query", ...limit },
    { name: "offset", in: "query", ...offset },
    {
      name: "filters",
      in: "query",
      description: filters,
      style: "form",
      explode: true,
      schema: { type: "object", additionalProperties: { type: "string" } },
      example: { "price.gte": "10", "title.like": "%a%" },
    },
  ];
}
