import fc from "fast-check";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import { tries } from "../../support/tries.ts";
import { columnNames, declaredType, literalFor, sqlName } from "./dump-text.ts";
import {
  cellOf,
  cellsIn,
  readDump,
  schemaLinesIn,
  schemaLinesOf,
  sqliteOf,
} from "./sqlite-judge.ts";

// SQLite itself is the judge: it runs the same statements, and its pragmas must tell the same of the tables.

const parents =
  "CREATE TABLE parent (id INTEGER PRIMARY KEY, code TEXT UNIQUE, a, b, UNIQUE (a, b));\n" +
  'CREATE TABLE "other parent" (x TEXT, y INT, PRIMARY KEY (x, y));\n';

/** What is said of a column at most once; some of it by chance. */
const columnConstraints = fc
  .record({
    notNull: fc.constantFrom("", "", "NOT NULL", "NULL", "CONSTRAINT c NOT NULL"),
    unique: fc.constantFrom("", "", "", "UNIQUE"),
    collate: fc.constantFrom("", "", "COLLATE nocase", "COLLATE RTRIM", 'COLLATE "BINARY"'),
    references: fc.constantFrom(
      "",
      "",
      "",
      "REFERENCES parent",
      "REFERENCES PARENT(CODE) ON DELETE NO ACTION",
      "REFERENCES parent(id) ON UPDATE RESTRICT DEFERRABLE INITIALLY DEFERRED",
    ),
    fallback: fc.oneof(
      fc.constantFrom("", "", "DEFAULT word", "DEFAULT true", "DEFAULT -5", "DEFAULT +.5"),
      literalFor("TEXT").map((literal) => `DEFAULT (${literal})`),
    ),
  })
  .chain((parts) => fc.shuffledSubarray(Object.values(parts), { minLength: 5 }))
  .map((parts) => parts.filter((part) => part !== "").join(" "));

const column = fc.record({ type: declaredType, constraints: columnConstraints });

/** A key over some columns. */
function keyOver(names: readonly string[], canDescend: boolean): fc.Arbitrary<string> {
  const suffix = canDescend
    ? fc.constantFrom("", "", " DESC", " COLLATE NOCASE", " COLLATE RTRIM ASC")
    : fc.constant("");
  return fc
    .shuffledSubarray([...names], { minLength: 1 })
    .chain((own) => fc.tuple(...own.map((name) => suffix.map((end) => `${name}${end}`))))
    .map((own) => own.join(", "));
}

const schema = columnNames
  .chain((names) => fc.tuple(...names.map(sqlName)))
  .chain((names) =>
    fc.record({
      columns: fc.tuple(
        ...names.map((name) =>
          column.map(({ type, constraints }) => `${name} ${type} ${constraints}`),
        ),
      ),
      key: fc.oneof(
        fc.constantFrom("", ", PRIMARY KEY ([own key])"),
        keyOver(names, false).map((own) => `, PRIMARY KEY (${own})`),
      ),
      uniques: fc.array(
        keyOver(names, true).map((own) => `, UNIQUE (${own})`),
        { maxLength: 2 },
      ),
      foreignKey: fc.constantFrom(
        "",
        `, FOREIGN KEY (${names[0]}, [own key]) REFERENCES parent (A, "b")`,
        `, CONSTRAINT f FOREIGN KEY ([own key], ${names[0]}) REFERENCES [Other Parent]`,
        `, FOREIGN KEY ([own key]) REFERENCES parent (id)`,
      ),
      indexes: fc.array(fc.tuple(keyOver(names, true), fc.constantFrom("", "UNIQUE")), {
        maxLength: 2,
      }),
      options: fc.constantFrom("", "", "WITHOUT ROWID"),
    }),
  )
  .map(({ columns, key, uniques, foreignKey, indexes, options }) => {
    const list = ["[own key] INT", ...columns].join(", ");
    // SQLite has odd indexes where a key is said twice, once of them descending.
    const isOdd = uniques.join("").includes("DESC");
    const end = key === "" || isOdd ? "" : options;
    const statements = indexes.map(
      ([own, unique], at) => `CREATE ${unique} INDEX "index ${at}" ON "t t" (${own});`,
    );
    const create = `CREATE TABLE "t t" (${list}${key}${uniques.join("")}${foreignKey}) ${end};`;
    return `${parents}${create}\n${statements.join("\n")}`;
  });

test("reads columns, keys, indexes and foreign keys as SQLite does", async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (text) => {
      const sqlite = sqliteOf(text);
      const { tables, problems } = await readDump(text);
      expect(problems).toEqual([]);
      for (const table of tables) {
        expect(schemaLinesOf(table.schema)).toEqual(schemaLinesIn(sqlite, table.schema));
      }
      sqlite.close();
    }),
    { numRuns: tries(200) },
  );
}, 60_000);

test("gives new rows the defaults that SQLite gives them", async () => {
  await fc.assert(
    fc.asyncProperty(schema, async (text) => {
      const { schema: own } =
        (await readDump(text)).tables.find((one) => one.schema.name === "t t") ?? {};
      if (own === undefined) throw new Error("There is no table.");
      // Keys, NOT NULL and references are no matter of defaults.
      const sqlite = sqliteOf(
        text.replaceAll(/NOT NULL|WITHOUT ROWID|, PRIMARY KEY \([^()]*\)(?=[,)])/g, ""),
      );
      sqlite.run('INSERT INTO "t t" DEFAULT VALUES');
      const columns = own.columns.map((one) => ({ ...one, notNull: false, references: undefined }));
      const plain = { name: own.name, columns, primaryKey: [] };
      const database = Database.load([{ schema: plain, rows: [] }], { storage: sqliteStorage });
      const result = database.table(own.name)?.insert({});
      if (result === undefined || result instanceof Promise || !result.ok) {
        throw new Error("The row was refused.");
      }
      const { row } = result;
      const cells = columns.map(({ name, type }) => cellOf(row[name] ?? null, type));
      expect([cells]).toEqual(cellsIn(sqlite, own));
      sqlite.close();
    }),
    { numRuns: tries(200) },
  );
}, 60_000);
