import { expect, test } from "vitest";
import type { FixtureSet } from "../../../src/core/fixture-set/fixture-set.ts";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { problemAtMark, problemsOfValue, readText } from "../../core/fixture-set/problems-of.ts";

const people = {
  columns: { id: "INTEGER", name: "TEXT" },
  generate: { count: 5, row: { name: "{{ 'person.fullName' | faker }}" } },
};

function readPeople(seed?: number): Promise<FixtureSet> {
  return readFixtureDocument({ tables: { people } }, seed === undefined ? {} : { seed });
}

test("adds generated rows after those given, with the next keys", async () => {
  const { tables } = await readFixtureDocument({
    tables: { people: { ...people, rows: [{ id: 7, name: "Ada" }] } },
  });
  expect(tables[0]?.rows.map(({ id }) => id)).toEqual([7, 8, 9, 10, 11, 12]);
  expect(tables[0]?.rows[0]).toEqual({ id: 7, name: "Ada" });
  expect(tables[0]?.rows[1]?.["name"]).toMatch(/^\S+ \S+/);
});

test("generates the same rows for the same seed, and others for another", async () => {
  const [first, again, other] = await Promise.all([readPeople(), readPeople(1), readPeople(2)]);
  expect(first.tables).toEqual(again.tables);
  expect(first.tables).not.toEqual(other.tables);
});

test("takes the seed of the fixtures, unless another is given", async () => {
  const { tables } = await readFixtureDocument({ seed: 5, tables: { people } });
  const given = await readFixtureDocument({ seed: 1, tables: { people } }, { seed: 5 });
  expect(given.tables).toEqual(tables);
});

test("generates the same rows whatever other tables there are", async () => {
  const alone = await readFixtureDocument({ tables: { people } });
  const beside = await readFixtureDocument({ tables: { other: people, people } });
  expect(beside.tables[1]?.rows).toEqual(alone.tables[0]?.rows);
  expect(beside.tables[0]?.rows).not.toEqual(alone.tables[0]?.rows);
});

test("makes dates near to the fixtures' clock, so that they are reproducible", async () => {
  const row = { at: "{{ 'date.recent' | faker }}" };
  const { tables } = await readFixtureDocument({
    clock: "2030-05-05",
    tables: { t: { columns: { at: "TEXT" }, generate: { count: 3, row } } },
  });
  for (const { at } of tables[0]?.rows ?? []) expect(at).toMatch(/^2030-05-0[45]T/);
});

test("turns what templates give into the column's type", async () => {
  const { tables } = await readFixtureDocument({
    tables: {
      t: {
        columns: {
          i: "INTEGER",
          r: "REAL",
          n: "DECIMAL(5,2)",
          s: "TEXT",
          b: "BOOLEAN",
          j: "JSON",
          a: "ANY",
        },
        generate: {
          count: 1,
          row: {
            i: "4{{ number }}",
            r: "{{ number }}.5",
            n: "1{{ index }}.25",
            s: "{{ number }}",
            b: "{{ 'true' }}",
            j: '[{{ number }}, "x"]',
            a: "{{ number }}",
          },
        },
      },
    },
  });
  expect(tables[0]?.rows).toEqual([
    { i: 41, r: 1.5, n: 10.25, s: "1", b: true, j: [1, "x"], a: 1 },
  ]);
});

test("fills in templates within objects and arrays, and keeps what is none", async () => {
  const row = { address: { city: "{{ 'Paris' }}", tags: ["n{{ number }}", 5, null] }, n: 3 };
  const { tables } = await readFixtureDocument({
    tables: { t: { columns: { address: "JSON", n: "INTEGER" }, generate: { count: 2, row } } },
  });
  expect(tables[0]?.rows[1]).toEqual({ address: { city: "Paris", tags: ["n2", 5, null] }, n: 3 });
});

test("gives a column that only generated rows have the type ANY", async () => {
  const row = { id: "{{ number }}", x: "{{ 'a' }}" };
  const { tables } = await readFixtureDocument({
    tables: { t: { rows: [{ id: 9 }], generate: { count: 1, row } } },
  });
  expect(tables[0]?.schema.columns.map(({ type }) => type)).toEqual(["INTEGER", "ANY"]);
  expect(tables[0]?.rows).toEqual([
    { id: 1, x: "a" },
    { id: 9, x: null },
  ]);
});

test("makes tables that others refer to first, and shows templates their rows", async () => {
  const { tables } = await readFixtureDocument({
    tables: {
      orders: {
        columns: { id: "INTEGER", user: { type: "INTEGER", references: "users.id" } },
        rows: [{ user: 3 }],
        generate: { count: 2, row: { user: "{{ tables.users[index].id }}" } },
      },
      users: {
        columns: { id: "INTEGER", name: "TEXT" },
        generate: { count: 3, row: { name: "x" } },
      },
    },
  });
  expect(tables[0]?.rows.map(({ user }) => user)).toEqual([3, 1, 2]);
});

test("tries again when a unique value is taken", async () => {
  const columns = { id: "INTEGER", digit: { type: "INTEGER", unique: true } };
  const row = { digit: "{{ 'number.int' | faker: min: 0, max: 9 }}" };
  const { tables } = await readFixtureDocument({
    tables: { t: { columns, generate: { count: 10, row } } },
  });
  expect(new Set(tables[0]?.rows.map(({ digit }) => digit)).size).toBe(10);
});

test("gives up when there are no more unique values", async () => {
  const columns = { id: "INTEGER", side: { type: "TEXT", unique: true } };
  const row = { side: "{{ 'person.sexType' | faker }}" };
  const [line, ...others] = await problemsOfValue({
    tables: { t: { columns, generate: { count: 30, row } } },
  });
  expect(line).toMatch(/^tables\.t\.generate\.row\.side: In generated row 3: .* must be unique/);
  expect(line).toContain("100 tries found no unused value. Generate fewer rows");
  expect(others).toEqual([]);
});

test.each([
  ['{ "count": ▸-1, "row": {} }', '"count" must be 0 or more, but is -1.'],
  ['{ "count": ▸1000001, "row": {} }', '"count" must be 1000000 or less, but is 1000001.'],
  ['▸{ "count": 1 }', 'The key "row" is missing.'],
  ['{ "count": 1, "row": { ▸"nmae": "a" } }', 'In generated row 1: There is no column "nmae".'],
  ['{ "count": 1, "row": { "name": "{{ ▸idx }}" } }', "The template is not valid: undefined"],
  ['{ "count": 1, "row": { "name": "{{ ▸\'a.b\' | faker }}" } }', '"a.b" is not a method of faker'],
  ['{ "count": 1, "row": { "id": ▸"x{{ index }}" } }', 'takes a whole number, not "x0".'],
  ['{ "count": 1, "row": { "id": "{{ ▸tables.x.y }}" } }', "The template cannot be rendered: "],
])("refuses to generate with %s", async (generate, expected) => {
  const columns = '{ "id": "INTEGER", "name": "TEXT" }';
  const text = `{ "tables": { "t": { "columns": ${columns}, "generate": ${generate} } } }`;
  expect(await problemAtMark(text)).toContain(expected);
});

test("judges references to generated rows when these are there", async () => {
  const [line, ...others] = await problemsOfValue({
    tables: {
      users: { columns: { id: "INTEGER" }, generate: { count: 3, row: {} } },
      orders: {
        columns: { user: { type: "INTEGER", references: "users.id" } },
        rows: [{ user: 3 }, { user: 4 }],
      },
    },
  });
  expect(line).toContain("tables.orders.rows[1].user: ");
  expect(others).toEqual([]);
});

test("reports one generated row that refers to nothing, not all", async () => {
  const lines = await problemsOfValue({
    tables: {
      users: { columns: { id: "INTEGER" }, rows: [{ id: 1 }] },
      orders: {
        columns: { user: { type: "INTEGER", references: "users.id" } },
        generate: { count: 50, row: { user: "{{ number }}" } },
      },
    },
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^tables\.orders\.generate\.row\.user: In generated row 2: .*no 2\./);
});

test("tells how far it is, and waits when it is asked to", async () => {
  const events: string[] = [];
  const waits = { ...people, generate: { ...people.generate, count: 250 } };
  await readFixtureDocument(
    { tables: { waits } },
    {
      onProgress: async ({ table, done, total }) => {
        events.push(`${table} ${done} of ${total}`);
        await Promise.resolve();
        events.push("goes on");
      },
    },
  );
  expect(events).toEqual(["waits 100 of 250", "goes on", "waits 200 of 250", "goes on"]);
});

test("ends with the error of whoever is told how far it is", async () => {
  const many = { ...people, generate: { ...people.generate, count: 1_000_000 } };
  const enough = new Error("enough");
  const reading = readFixtureDocument(
    { tables: { many } },
    { onProgress: () => Promise.reject(enough) },
  );
  await expect(reading).rejects.toBe(enough);
});

test("takes a column called __proto__ for any other", async () => {
  const text = `{"tables":{"t":{"columns":{"__proto__":"TEXT"},"generate":{"count":1,"row":{"__proto__":"{{ number }}"}}}}}`;
  const { tables } = await readText(text);
  expect(JSON.stringify(tables[0]?.rows)).toBe('[{"__proto__":"1"}]');
});
