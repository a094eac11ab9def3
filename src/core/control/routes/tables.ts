import { didYouMean } from "../../errors/nearest-name.ts";
import { arrayOf, choice, jsonValue } from "../../schema/values.ts";
import { isObject } from "../../schema/json.ts";
import { closedObject, namedValues, required } from "../../schema/objects.ts";
import { emptyReply, jsonReply, type Reply } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import type { ControlContext, JsonObject } from "../context.ts";
import { refuse } from "../errors.ts";
import { withBody } from "../read-body.ts";
import type { Body, Route } from "../route.ts";

const rows = arrayOf(namedValues(jsonValue));

type RowsInput = readonly JsonObject[] | { readonly rows: readonly JsonObject[] };

const rowsBody: Body<RowsInput> = {
  schema: choice(
    [rows, closedObject({ rows: required(rows, "The rows.") })],
    "an array of rows",
    (value) => {
      if (Array.isArray(value)) return 0;
      return isObject(value) ? 1 : undefined;
    },
  ),
  whenMissing: undefined,
  example: [{ id: 1, name: "Ada" }],
};

const name = {
  name: "name",
  description: "The table's name.",
  schema: { type: "string" },
};

function unknownTable(table: string, { tables }: ControlContext): Reply {
  const names = tables.names();
  const advice = didYouMean(table, names) || ` Tables: ${names.join(", ") || "none"}.`;
  return refuse("unknown_table", {
    message: `Cannot use the table ${showText(table)}: there is none of that name.${advice}`,
  });
}

/** The rows of one table, out and in. */
export const tableRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/tables/{name}",
    id: "getTable",
    summary: "Gives all rows of a table",
    description:
      "As a fixture file has them, in row id order: a whole number that no JSON number holds is the text of its digits.",
    name,
    success: { status: 200, description: "The rows.", schema: (refer) => rows.json(refer) },
    errors: ["unknown_table", "tables_unavailable"],
    answer: ({ name: table }, context) => {
      const found = context.tables.rows(table);
      return found === undefined ? unknownTable(table, context) : jsonReply(200, found);
    },
  },
  {
    method: "PUT",
    path: "/tables/{name}",
    id: "putTable",
    summary: "Replaces all rows of a table",
    description: "Columns left out get their default, and keys are generated, as in fixtures.",
    name,
    body: rowsBody,
    success: { status: 204, description: "It is done." },
    mistake: "rows_refused",
    errors: ["unknown_table", "tables_unavailable"],
    answer: ({ call, name: table }, context) => {
      if (!context.tables.names().includes(table)) return unknownTable(table, context);
      return withBody(call, rowsBody, async (given) => {
        await context.tables.replace(table, "rows" in given ? given.rows : given);
        return emptyReply(204);
      });
    },
  },
];
