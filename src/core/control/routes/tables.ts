import { didYouMean, showText } from "../../errors/show.ts";
import { arrayOf, choice, jsonValue } from "../../schema/values.ts";
import { isObject } from "../../schema/json.ts";
import { closedObject, namedValues, required } from "../../schema/objects.ts";
import { jsonPieces, jsonPiecesReply } from "../../http/json-pieces.ts";
import type { Reply } from "../../http/reply.ts";
import { type NewRows, replaceRows, wireRow } from "../../emulator/state/export-table.ts";
import type { State } from "../../emulator/state.ts";
import type { FixtureSet } from "../../fixture-set/fixture-set.ts";
import { refuse } from "../errors.ts";
import { withBody, type ControlRoute, done } from "../read-call.ts";

const rows = arrayOf(namedValues(jsonValue));

const rowsBody = {
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

const name = { name: "name", description: "The table's name.", example: "users" };

function unknownTable(table: string, { database }: State): Reply {
  const names = database.names();
  const advice = didYouMean(table, names) || ` Tables: ${names.join(", ") || "none"}.`;
  return refuse("unknown_table", {
    message: `Cannot use the table ${showText(table)}: there is none of that name.${advice}`,
  });
}

/** Reads and replaces the rows of one table. */
export const tableRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/tables/{name}",
    id: "getTable",
    summary: "Returns all rows of a table",
    description:
      "The rows look as in a fixture file, in row id order. A whole number that JSON cannot hold is the text of its digits.",
    name,
    success: { description: "The rows.", schema: (refer) => rows.json(refer) },
    needsTables: true,
    errors: ["unknown_table"],
    answer: ({ name: table }, { session: { state } }) => {
      const found = state.database.table(table);
      if (found === undefined) return unknownTable(table, state);
      return jsonPiecesReply(jsonPieces(found.rows().map(wireRow)));
    },
  },
  {
    method: "PUT",
    path: "/tables/{name}",
    id: "putTable",
    summary: "Replaces all rows of a table",
    description:
      "Missing columns get their default and missing keys are generated, as in fixtures.",
    name,
    body: rowsBody,
    success: done,
    mistake: "rows_refused",
    needsTables: true,
    errors: ["unknown_table"],
    answer: (request, { session, setup }) => {
      const table = request.name;
      const { state } = session;
      if (state.database.table(table) === undefined) return unknownTable(table, state);
      return withBody(request, rowsBody, async (given) => {
        const replacement: NewRows = {
          name: table,
          rows: "rows" in given ? given.rows : given,
          now: session.now,
          storage: setup.settings.tablesProfile.storage,
          dumped: dumpedTables(setup.fixtures),
        };
        await replaceRows(session.state, replacement);
      });
    },
  },
];

/** Tables of SQL dumps, whose rows were never checked. */
function dumpedTables({ tables }: FixtureSet): ReadonlySet<string> {
  const dumped = tables.filter(({ asStored }) => asStored === true);
  return new Set(dumped.map(({ schema }) => schema.name));
}
