// Checked by the compiler alone: `tsc -p test`. Nothing here runs.
import { expectTypeOf } from "vitest";
import {
  createEmulator,
  type Emulator,
  type JsonValue,
  type Row,
  type RowValue,
} from "../../src/index.ts";

const emulator = await createEmulator({
  fixtures: {
    tables: {
      users: {
        primaryKey: "id",
        columns: {
          id: "INTEGER",
          name: { type: "TEXT", notNull: true },
          email: { type: "TEXT", unique: true },
          score: "REAL",
          price: "NUMERIC",
          active: { type: "BOOLEAN", notNull: true, default: true },
          tags: "JSON",
          extra: "ANY",
          joined: "DATE",
          nick: "varchar(20)",
          views: { type: "BIGINT", notNull: true },
          rank: "SMALLINT",
          photo: "BLOB",
          untold: "",
        },
        rows: [{ id: 1, name: "Ada" }],
      },
      notes: [
        { id: 1, text: "one", done: false, parent: null },
        { id: 2, text: "two", done: true, parent: null },
      ],
      mixed: [
        { id: 1, a: "x", tags: ["x"], none: null },
        { id: 2, a: null, b: 5, tags: { y: 1 }, none: null },
      ],
      plain: { rows: [{ id: 1, label: "x" }] },
      open: {},
    },
  },
});

// Declared columns give their types, null included unless they are NOT NULL or the key.
type User = ReturnType<typeof emulator.tables.users.rows>[number];
expectTypeOf<User["id"]>().toEqualTypeOf<number>();
expectTypeOf<User["name"]>().toEqualTypeOf<string>();
expectTypeOf<User["email"]>().toEqualTypeOf<string | null>();
expectTypeOf<User["score"]>().toEqualTypeOf<number | null>();
expectTypeOf<User["price"]>().toEqualTypeOf<number | string | null>();
expectTypeOf<User["active"]>().toEqualTypeOf<boolean | 0 | 1>();
expectTypeOf<User["tags"]>().toEqualTypeOf<JsonValue>();
expectTypeOf<User["extra"]>().toEqualTypeOf<JsonValue>();
expectTypeOf<User["joined"]>().toEqualTypeOf<number | string | null>();
expectTypeOf<User["nick"]>().toEqualTypeOf<string | null>();
expectTypeOf<User["rank"]>().toEqualTypeOf<number | null>();
// What only a database has: bytes, and integers that no number holds.
expectTypeOf<User["views"]>().toEqualTypeOf<number | bigint>();
expectTypeOf<User["photo"]>().toEqualTypeOf<RowValue>();
expectTypeOf<User["untold"]>().toEqualTypeOf<RowValue>();
expectTypeOf<keyof User>().toEqualTypeOf<
  | "id"
  | "name"
  | "email"
  | "score"
  | "price"
  | "active"
  | "tags"
  | "extra"
  | "joined"
  | "nick"
  | "views"
  | "rank"
  | "photo"
  | "untold"
>();

emulator.tables.users.insert({ name: "Grace", active: 1, tags: ["a", { b: 1 }] });
emulator.tables.users.update(1, { email: null });
emulator.tables.users.update(1, { views: 2n ** 60n + 1n, photo: new Uint8Array([1]) });
emulator.tables.users.get(1)?.name.toUpperCase();
// @ts-expect-error There is no such table.
void emulator.tables.user;
// @ts-expect-error There is no such column.
void emulator.tables.users.get(1)?.nmae;
// @ts-expect-error There is no such column.
emulator.tables.users.insert({ name: "x", nmae: "y" });
// @ts-expect-error The column takes text.
emulator.tables.users.insert({ name: 5 });
// @ts-expect-error The column is NOT NULL.
emulator.tables.users.update(1, { name: null });
// @ts-expect-error There may be no such row.
void emulator.tables.users.get(1).name;
// @ts-expect-error Rows cannot be pushed into.
emulator.tables.users.rows().push({});

// An array of rows gives the types of its values, widened.
type Note = ReturnType<typeof emulator.tables.notes.rows>[number];
expectTypeOf<Note["id"]>().toEqualTypeOf<number>();
expectTypeOf<Note["text"]>().toEqualTypeOf<string>();
expectTypeOf<Note["done"]>().toEqualTypeOf<boolean>();
expectTypeOf<Note["parent"]>().toEqualTypeOf<JsonValue>();
emulator.tables.notes.insert({ text: "three", done: true });
// @ts-expect-error The column holds booleans.
emulator.tables.notes.insert({ done: "yes" });

// Rows need not have the same columns: what one leaves out is null there.
type Mixed = ReturnType<typeof emulator.tables.mixed.rows>[number];
expectTypeOf<Mixed["id"]>().toEqualTypeOf<number>();
expectTypeOf<Mixed["a"]>().toEqualTypeOf<string | null>();
expectTypeOf<Mixed["b"]>().toEqualTypeOf<number | null>();
expectTypeOf<Mixed["tags"]>().toEqualTypeOf<JsonValue>();
expectTypeOf<Mixed["none"]>().toEqualTypeOf<JsonValue>();
emulator.tables.mixed.insert({ a: "y", tags: ["z", 1] });

// Rows cannot be changed; they are the table's.
const first = emulator.tables.users.get(1);
// @ts-expect-error Changes go through `update`.
if (first !== undefined) first.name = "changed";
const [note] = emulator.tables.notes.rows();
// @ts-expect-error Changes go through `update`.
if (note !== undefined) note.text = "changed";

// Rows without columns do the same.
expectTypeOf<
  ReturnType<typeof emulator.tables.plain.rows>[number]["label"]
>().toEqualTypeOf<string>();

// A table that tells nothing has rows of any columns.
expectTypeOf<ReturnType<typeof emulator.tables.open.rows>[number]>().toEqualTypeOf<Row>();

// Fixtures whose type is not known have tables of any name.
const untyped = await createEmulator({ fixtures: JSON.parse("{}") as unknown });
void untyped.tables["anything"]?.rows()[0]?.["column"];
const unchecked = await createEmulator({ fixtures: JSON.parse("{}") });
void unchecked.tables["anything"]?.rows()[0]?.["column"];
const none = await createEmulator();
void none.tables["anything"]?.get([1, "x"])?.["column"];

// What takes any emulator takes this one.
expectTypeOf(emulator).toExtend<Emulator>();
expectTypeOf(none).toExtend<Emulator>();

// Arguments and result of fetch are those of the global one.
const asFetch: typeof fetch = emulator.fetch;
void asFetch;

// @ts-expect-error There is no such option.
void createEmulator({ sead: 1 });
// @ts-expect-error There is no such profile.
void createEmulator({ profiles: { tables: "sqlite" } });
