import { oddText } from "./odd-values.ts";
import type { Random } from "./random.ts";

// Dumps as SQLite's shell writes them, of databases that somebody made on purpose.

/** What dumps are made of, and what other databases write. */
export const dumpWords: readonly string[] = [
  ..."( ) , ; ' \" ` [ ] -- /* */ . :a ?1 $x @y \0 \ufeff é 😀 1e 0x 1_0 x'0 X'00ff' = || * -".split(
    " ",
  ),
  ..."SELECT UPDATE DELETE INSERT OR REPLACE INTO VALUES CREATE TEMP TABLE VIEW INDEX TRIGGER UNIQUE IF NOT EXISTS".split(
    " ",
  ),
  ..."PRIMARY KEY AUTOINCREMENT DEFAULT CHECK REFERENCES FOREIGN COLLATE NOCASE GENERATED ALWAYS AS STORED STRICT".split(
    " ",
  ),
  ..."WITHOUT ROWID BEGIN COMMIT PRAGMA DROP ALTER NULL TRUE CURRENT_TIMESTAMP ON CONFLICT CASCADE DESC WHERE".split(
    " ",
  ),
  ..."ENGINE=InnoDB AUTO_INCREMENT SERIAL SET LOCK GO COPY \\. users orders rowid sqlite_sequence sqlite_master".split(
    " ",
  ),
  ..."__proto__ constructor unistr('\\u0041') replace('a\\nb','\\n',char(10)) char(0) printf abs".split(
    " ",
  ),
  "\n",
  "UNION ALL",
  "--\n",
];

const types = [
  "INTEGER",
  "int",
  "TEXT",
  "varchar(20)",
  "REAL",
  "NUMERIC",
  "BLOB",
  "DATE",
  "BOOLEAN",
  "JSON",
  "",
  "ANY",
  '"my type"',
  "decimal(10,2)",
] as const;
const names = [
  "users",
  "orders",
  "a",
  "B",
  '"x y"',
  "[or]",
  "`q`",
  '"__proto__"',
  "constructor",
  "'s'",
  '"sqlite_x"',
  '""',
  "main.a",
] as const;
const columns = [
  "id",
  "name",
  '"full name"',
  "email",
  "b",
  '"__proto__"',
  "rowid",
  "user_id",
  "[order]",
  "é",
] as const;

/** A whole dump. */
export function dumpText(random: Random): string {
  const tables = random.shuffled(names).slice(0, random.int(1, 3));
  const lines = tables.flatMap((name) => tableLines(random, name));
  if (random.chance(0.2))
    lines.push(
      "DELETE FROM sqlite_sequence;",
      `INSERT INTO sqlite_sequence VALUES('users',${random.int(-1, 9)});`,
    );
  if (random.chance(0.2)) lines.push(...random.pick(others));
  return `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n${lines.join("\n")}\nCOMMIT;\n`;
}

const others: readonly (readonly string[])[] = [
  ["CREATE VIEW v AS SELECT * FROM users;"],
  ["CREATE TRIGGER t AFTER INSERT ON users BEGIN DELETE FROM orders; END;"],
  ["CREATE VIRTUAL TABLE f USING fts5(a);"],
  ["UPDATE users SET id = 1;", "DELETE FROM users;"],
  ["ANALYZE sqlite_schema;", "INSERT INTO sqlite_stat1 VALUES('users',NULL,'2');"],
  [
    "PRAGMA writable_schema=ON;",
    "INSERT INTO sqlite_schema VALUES('table','x','x',0,'CREATE TABLE x(a)');",
  ],
  ["ALTER TABLE users ADD COLUMN z TEXT;", "DROP TABLE IF EXISTS users;"],
];

function tableLines(random: Random, table: string): string[] {
  const chosen = random.shuffled(columns).slice(0, random.int(1, 5));
  const own = chosen.map((name, index) => columnText(random, name, index));
  const constraints = random.chance(0.25) ? [constraintFor(random, chosen)] : [];
  const rest = random.chance(0.1)
    ? random.pick([" WITHOUT ROWID", " STRICT", " STRICT, WITHOUT ROWID"])
    : "";
  const exists = random.chance(0.2) ? "IF NOT EXISTS " : "";
  const lines = [`CREATE TABLE ${exists}${table} (${[...own, ...constraints].join(", ")})${rest};`];
  lines.push(...random.list(random.int(0, 4), () => insertFor(random, table, chosen)));
  if (random.chance(0.2)) lines.push(indexFor(random, table, chosen));
  return lines;
}

function columnText(random: Random, name: string, index: number): string {
  const key = index === 0 && random.chance(0.5);
  const parts = [
    name,
    key ? random.pick(["INTEGER", "INTEGER", "TEXT", "int"]) : random.pick(types),
  ];
  if (key)
    parts.push(random.pick(["PRIMARY KEY", "PRIMARY KEY AUTOINCREMENT", "PRIMARY KEY DESC"]));
  if (random.chance(0.15)) parts.push("NOT NULL");
  if (random.chance(0.1)) parts.push("UNIQUE");
  if (random.chance(0.15))
    parts.push(
      `DEFAULT ${random.pick([literalFor(random), "CURRENT_TIMESTAMP", "(1+2)", "-1", "(abs(-3))", "x"])}`,
    );
  if (random.chance(0.1))
    parts.push(`COLLATE ${random.pick(["NOCASE", "BINARY", "RTRIM", "nope"])}`);
  if (random.chance(0.1))
    parts.push(
      `REFERENCES ${random.pick(names)}${random.chance(0.6) ? " (id)" : ""}${random.chance(0.3) ? " ON DELETE CASCADE" : ""}`,
    );
  if (random.chance(0.03))
    parts.push(random.pick(["CHECK (id > 0)", "GENERATED ALWAYS AS (1) STORED", "AS (id)"]));
  return parts.join(" ");
}

function constraintFor(random: Random, chosen: readonly string[]): string {
  const some = random.some(chosen, 0.6).join(", ");
  return random.pick([
    `PRIMARY KEY (${some})`,
    `UNIQUE (${some})`,
    `CONSTRAINT c FOREIGN KEY (${some}) REFERENCES ${random.pick(names)} (id, name)`,
    `FOREIGN KEY (${random.pick(chosen)}) REFERENCES users`,
    "CHECK (1)",
  ]);
}

function indexFor(random: Random, table: string, chosen: readonly string[]): string {
  const terms = random
    .some(chosen, 0.6)
    .map((name) => `${name}${random.pick(["", " DESC", " COLLATE NOCASE"])}`);
  const where = random.chance(0.1) ? " WHERE id > 1" : "";
  return `CREATE ${random.chance(0.4) ? "UNIQUE " : ""}INDEX ${random.pick(["i", "i2", "users"])} ON ${table} (${terms.join(", ")})${where};`;
}

function insertFor(random: Random, table: string, chosen: readonly string[]): string {
  const isNamed = random.chance(0.3);
  const some = isNamed ? random.some(chosen, 0.8) : chosen;
  const count = random.chance(0.97) ? some.length : random.int(0, 6);
  const row = (): string => `(${random.list(count, () => literalFor(random)).join(",")})`;
  const rows = random.list(random.chance(0.9) ? 1 : random.int(1, 4), row).join(", ");
  const verb = random.chance(0.95)
    ? "INSERT INTO"
    : random.pick(["INSERT OR IGNORE INTO", "REPLACE INTO", "INSERT OR ROLLBACK INTO"]);
  return `${verb} ${table}${isNamed ? ` (${some.join(", ")})` : ""} VALUES${rows};`;
}

function literalFor(random: Random): string {
  return random.weighted<() => string>([
    [4, () => String(random.int(-3, 9))],
    [
      2,
      () =>
        random.pick([
          "9007199254740993",
          "-9223372036854775808",
          "9223372036854775808",
          "0x10",
          "1e999",
          "-1e999",
          ".5",
          "5.",
          "1e-400",
          "007",
        ]),
    ],
    [3, () => `'${random.pick(["Ada", "a@b.c", "2020-01-01", "5", "it''s", "a;b", "--x", ""])}'`],
    [2, () => `'${oddText(random).replaceAll("'", "''")}'`],
    [2, () => random.pick(["NULL", "null", "TRUE", "false", "CURRENT_TIME"])],
    [1, () => random.pick(["X''", "x'00FF'", "X'0g'"])],
    [
      1,
      () =>
        random.pick([
          "unistr('a\\u000ab')",
          "replace('a\\nb','\\n',char(10))",
          "- -5",
          "(5)",
          "'a'||'b'",
          "1+1",
          "char(1114112)",
          "unistr('\\ud800')",
        ]),
    ],
  ])();
}
