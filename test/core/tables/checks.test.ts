import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { SqlDump } from "../../support/sql-dump.ts";

// CHECK constraints, in fixtures and in dumps, as clients meet them.

const fixtures = {
  tables: {
    products: {
      columns: {
        id: "INTEGER",
        title: { type: "TEXT", check: "length(title) > 0" },
        price: "REAL",
        was: "REAL",
        data: "JSON",
        active: "BOOLEAN",
      },
      check: { "cheaper now": "price < was", documents: "json_valid(data) AND active IN (0, 1)" },
      rows: [{ id: 1, title: "Mug", price: 5, was: 9, data: { a: [1] }, active: true }],
    },
  },
} as const;

const base = "http://shop.test/rest/products";
const headers = { "content-type": "application/json" };
const send = (method: string, body: object): RequestInit => ({
  method,
  headers,
  body: JSON.stringify(body),
});

test("refuses a row that does not meet a condition, and names it", async () => {
  const { fetch } = await createEmulator({ fixtures, auth: false });
  const refused = await fetch(base, send("POST", { title: "", price: 3, was: 2 }));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    code: "invalid_body",
    error:
      'Cannot insert a row into "products": The CHECK constraint is not met: length(title) > 0, with "title" = "". ' +
      'The CHECK constraint "cheaper now" is not met: price < was, with "price" = 3, "was" = 2.',
  });
});

test("takes a row for which a condition is unknown", async () => {
  const { fetch } = await createEmulator({ fixtures, auth: false });
  expect((await fetch(base, send("POST", { id: 2 }))).status).toBe(201);
  expect((await fetch(base, send("POST", { id: 3, data: "text", active: false }))).status).toBe(
    201,
  );
});

test("tests in an update what it sets, and the whole row where it is replaced", async () => {
  const { fetch } = await createEmulator({ fixtures, auth: false });
  expect((await fetch(`${base}/1`, send("PATCH", { price: 10 }))).status).toBe(400);
  expect((await fetch(`${base}/1`, send("PATCH", { price: 10, was: 11 }))).status).toBe(200);
  expect((await fetch(`${base}/1`, send("PUT", { title: "x", price: 2, was: 1 }))).status).toBe(
    400,
  );
});

test("finds rows of fixtures that do not meet a condition, and conditions that it cannot evaluate", async () => {
  const rows = [{ id: 1 }, { id: 2, n: -1 }];
  const columns = { id: "INTEGER", n: "INTEGER" };
  const set = (check: unknown): unknown => ({
    fixtures: { tables: { t: { columns, check, rows } } },
  });
  const start = (check: unknown): Promise<unknown> =>
    createEmulator(JSON.parse(JSON.stringify(set(check))));
  await expect(start("n >= 0")).rejects.toThrow(
    'CHECK constraint is not met: n >= 0, with "n" = -1',
  );
  await expect(start("n >= zero")).rejects.toThrow('it has the name "zero", which is no column');
  await expect(start({ odd: "strftime('%Y', n) > 0" })).rejects.toThrow(
    "it has the function strftime()",
  );
  await expect(start("n >= 0 AND (")).rejects.toThrow("its end");
});

test("keeps the conditions through an export", async () => {
  const { fetch } = await createEmulator({ fixtures, auth: false });
  const document: unknown = await (await fetch("http://127.0.0.1/__backlot/state")).json();
  const again = await createEmulator({
    fixtures: JSON.parse(JSON.stringify(document)),
    auth: false,
  });
  const refused = await again.fetch(base, send("POST", { title: "", price: 3, was: 2 }));
  expect(await refused.json()).toMatchObject({ error: expect.stringContaining('"cheaper now"') });
});

function failed(name: string): object {
  return { error: `CHECK constraint failed: ${name}: SQLITE_CONSTRAINT` };
}

test("calls an unmet condition of a dump as SQLite does", async () => {
  const sql = `CREATE TABLE t (id INTEGER PRIMARY KEY, qty INTEGER NOT NULL CHECK (qty >= 0),
    "price" REAL CONSTRAINT cheap CHECK ("price" < 100), "left" INTEGER CHECK ("left" <= qty),
    CONSTRAINT both UNIQUE (qty, price) CHECK (qty <> 13));`;
  const set = await new SqlDump(sql).read();
  const { fetch } = await createEmulator({
    fixtures: set,
    auth: false,
    profiles: { tables: "starbasedb" },
  });
  const post = async (body: object): Promise<unknown> =>
    (await fetch("http://shop.test/rest/t", send("POST", body))).json();
  expect(await post({ qty: -1 })).toEqual(failed("qty >= 0"));
  expect(await post({ qty: 1, price: 100 })).toEqual(failed("cheap"));
  expect(await post({ qty: 1, left: 2 })).toEqual(failed("left"));
  expect(await post({ qty: 13 })).toEqual(failed("both"));
});
