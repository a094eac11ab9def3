import * as fc from "fast-check";
import initSqlJs, { type SqlDatabase } from "sql.js-period";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import type { TableSchema } from "../../../src/core/store/schema.ts";
import { ask, starbasedbContext } from "../../core/tables/ask.ts";
import { serve, type ServiceRequest } from "../../support/sqlite-service.ts";
import { isLong } from "../../support/tries.ts";
import { type FrameworkSchema, frameworkSchemas } from "./framework-schemas.ts";
import { cellsIn, cellsOf, readDump } from "./sqlite-judge.ts";

// SQLite itself is the judge of databases as frameworks declare them: random requests, with the actions of foreign keys
// and the conditions of rows, get the same answers and leave the same rows.

const Sql = await initSqlJs();

/** Requests in a row. Few writes find room in a database, so most of them are writes. */
const length = 25;
/** `npm run check` asks 100,000 requests, `npm test` 2,000. */
const runs = Math.ceil((isLong ? 100_000 : 2_000) / frameworkSchemas.length / length);

const text = fc.constantFrom(
  ..."1|2|3|4|5|a|b|A|ab|a@x|pending|paid|talk|{}|[1|0|1.5|-1|true||2024".split("|"),
);
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(1, 2, 3, 4, 5, 0, 1.5, -1, 100) },
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, false, [], { a: 1 }) },
);
const operator = fc.constantFrom("", ".ne", ".gt", ".gte", ".lt", ".lte", ".like", ".in");

function requestOf({ name, columns }: TableSchema): fc.Arbitrary<ServiceRequest> {
  const column = fc.constantFrom(...columns.map((each) => each.name));
  const filter = fc
    .tuple(column, operator, text)
    .map(([key, suffix, wanted]) => [`${key}${suffix}`, wanted] as const);
  const paged = fc
    .tuple(column, fc.constantFrom("asc", "desc"), fc.constantFrom("1", "3", "100"))
    .map(
      ([by, order, limit]) =>
        [
          ["sort_by", by],
          ["order", order],
          ["limit", limit],
        ] as const,
    );
  const query = fc
    .tuple(fc.array(filter, { maxLength: 2 }), fc.option(paged, { nil: [] }))
    .map(([filters, window]) => [...filters, ...window]);
  const cells = fc.array(fc.tuple(column, value), { minLength: 1, maxLength: 3 });
  const whole = fc
    .tuple(...columns.map(() => value))
    .map((values) => columns.map(({ name: key }, at) => [key, values[at]] as const));
  return fc.record({
    method: fc.constantFrom("GET", "POST", "POST", "POST", "PUT", "PATCH", "PATCH", "DELETE"),
    table: fc.constant(name),
    key: fc.option(fc.constantFrom("1", "2", "3", "4", "a", "b", "A", "ab"), {
      nil: undefined,
      freq: 9,
    }),
    query,
    body: fc.oneof(cells, whole).map((entries) => Object.fromEntries(entries)),
  });
}

function targetOf({ method, table, key, query }: ServiceRequest): string {
  const pairs = method === "GET" ? query.map((pair) => pair.map(encodeURIComponent).join("=")) : [];
  const path = `/${table}${key === undefined || method === "POST" ? "" : `/${key}`}`;
  return `${method} ${path}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}

/** sql.js does not say where in the statement an error is. */
function withoutPlaces(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replace(/ at offset \d+/, ""));
}

async function answerAll(
  requests: readonly ServiceRequest[],
  ours: Database,
  judge: SqlDatabase,
): Promise<void> {
  for (const request of requests) {
    const asked = targetOf(request);
    const isBare = request.method === "GET" || request.method === "DELETE";
    const body = isBare ? undefined : JSON.stringify(request.body);
    const answer = await ask(ours, asked, { body }, starbasedbContext);
    const expected = serve(judge, request);
    expect(
      { status: answer.status, body: withoutPlaces(answer.body) },
      `${asked} ${body ?? ""}`,
    ).toEqual({
      status: expected.status,
      body: withoutPlaces(expected.body),
    });
  }
}

test.each(frameworkSchemas)(
  "answers about $name as SQLite does",
  async ({ sql }: FrameworkSchema) => {
    const { tables, problems, warnings } = await readDump(sql);
    expect([problems, warnings]).toEqual([[], []]);
    const request = fc.constantFrom(...tables.map(({ schema }) => schema)).chain(requestOf);
    const series = fc.array(request, { minLength: length, maxLength: length });
    const property = fc.asyncProperty(series, async (requests) => {
      const judge = new Sql.Database();
      judge.run(`PRAGMA foreign_keys = ON;\n${sql}`);
      const ours = Database.load(tables, { storage: sqliteStorage });
      await answerAll(requests, ours, judge);
      for (const { schema } of tables) {
        const rows = ours.table(schema.name)?.rows() ?? [];
        expect(cellsOf({ schema, rows }), schema.name).toEqual(cellsIn(judge, schema));
      }
      judge.close();
    });
    await fc.assert(property, { numRuns: runs });
  },
);
