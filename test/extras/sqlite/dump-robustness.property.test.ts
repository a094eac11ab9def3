import fc from "fast-check";
import { expect, test } from "vitest";
import { isEmulatorError } from "../../../src/core/errors/emulator-error.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { tries } from "../../support/tries.ts";

const whole = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, "full name" TEXT NOT NULL DEFAULT 'x',
  email TEXT UNIQUE COLLATE NOCASE, born DATE DEFAULT CURRENT_DATE, data BLOB, CHECK (id > 0));
INSERT INTO users VALUES(1,'Ada','ada@example.com','2024-01-01',X'00ff');
INSERT INTO users(id, "full name") VALUES (2, unistr('a\\u000ab')), (-3, replace('a\\nb','\\n',char(10)));
CREATE TABLE orders (a, b, user_id INT REFERENCES users (id), PRIMARY KEY (a, b DESC)) WITHOUT ROWID;
INSERT INTO orders VALUES (1, 9007199254740993, 1), (-1e999, '5', NULL);
CREATE UNIQUE INDEX i ON orders (b COLLATE NOCASE DESC) WHERE a > 1;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('users',7);
CREATE TRIGGER t AFTER INSERT ON users BEGIN DELETE FROM orders; END;
CREATE VIEW v AS SELECT * FROM users;
COMMIT;
`;

/** Settles, or rejects with problems that all have a place in the file; anything else is a bug. */
async function loadsOrIsRefused(text: string, skipUnsupported: boolean): Promise<void> {
  const file = { path: "app.sql", name: "app.sql", text };
  try {
    await readFixtureFiles([file], { layout: "document", skipUnsupported });
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { file: path, line = 0, column = 0 } of error.problems) {
      expect([path, line > 0, column > 0]).toEqual(["app.sql", true, true]);
    }
  }
}

test("loads a whole dump, without what is not supported", async () => {
  await expect(
    readFixtureFiles([{ path: "app.sql", name: "app.sql", text: whole }], {
      layout: "document",
      skipUnsupported: true,
    }),
  ).resolves.toMatchObject({ tables: [{ lastGeneratedKey: 7 }, {}] });
});

test("refuses a dump that is cut off anywhere", async () => {
  for (let length = 60; length < whole.length - 8; length += 7) {
    const file = { path: "app.sql", name: "app.sql", text: whole.slice(0, length) };
    await expect(
      readFixtureFiles([file], { layout: "document", skipUnsupported: true }),
    ).rejects.toThrow(/app\.sql:\d+:\d+: /);
  }
});

const words = [
  ...whole.split(/\b/),
  ..."( ) , ; ' \" ` [ ] -- /* */ . :a ?1 $x @y \0 \uFEFF é 😀 1e 0x 1_0 x'0 SELECT UPDATE ON DO".split(
    " ",
  ),
  "\n",
  "__proto__",
  "constructor",
  "rowid",
  "sqlite_sequence",
];

const soup = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join(" "));

/** The whole dump with some of it taken out, doubled or replaced. */
const damaged = fc
  .array(fc.tuple(fc.nat(whole.length), fc.nat(40), fc.constantFrom("", ...words)), {
    minLength: 1,
    maxLength: 4,
  })
  .map((cuts) =>
    cuts.reduce(
      (text, [at, length, word]) => `${text.slice(0, at)}${word}${text.slice(at + length)}`,
      whole,
    ),
  );

test("loads or refuses any text", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), soup, damaged),
      fc.boolean(),
      loadsOrIsRefused,
    ),
    { numRuns: tries(600) },
  );
}, 60_000);

test.each([
  ["brackets", `CREATE TABLE t (a DEFAULT ${"(".repeat(20_000)}1${")".repeat(20_000)});`],
  ["signs", `CREATE TABLE t (a); INSERT INTO t VALUES (${"- ".repeat(20_000)}1);`],
  ["operators", `CREATE TABLE t (a CHECK (a${" || a".repeat(20_000)}));`],
  ["digits", `CREATE TABLE t (a); INSERT INTO t VALUES (${"9".repeat(200_000)});`],
  ["columns", `CREATE TABLE t (${Array.from({ length: 2000 }, (_, at) => `c${at}`).join()});`],
  ["an open comment", `CREATE TABLE t (a); /*${" * /".repeat(50_000)}`],
  ["an open text", `CREATE TABLE t (a); INSERT INTO t VALUES ('${"a''".repeat(50_000)}`],
  ["errors", "INSERT INTO t VALUES (;".repeat(5000)],
])("comes to an end with endless %s", async (_, text) => {
  await expect(loadsOrIsRefused(text, false)).resolves.toBeUndefined();
});
