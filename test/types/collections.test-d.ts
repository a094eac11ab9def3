// Checked by the compiler alone: `tsc -p test`. Nothing here runs.
import { Collection } from "@msw/data";
import * as v from "valibot";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { type BacklotTest, createTest } from "../../src/fronts/vitest/index.ts";
import {
  type CollectionTables,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type FixtureSet,
  type JsonValue,
  type Row,
  type RowValue,
} from "../../src/index.ts";

const users = new Collection({
  schema: z.object({
    id: z.number(),
    name: z.string(),
    role: z.enum(["admin", "user"]).default("user"),
    nick: z.string().optional(),
    note: z.string().nullish(),
    born: z.coerce.date().optional(),
    address: z.object({ city: z.string(), zip: z.string().optional() }).optional(),
    tags: z.array(z.string()),
    extra: z.any(),
    views: z.bigint().optional(),
    photo: z.instanceof(Uint8Array).optional(),
    inner: z.object({ big: z.bigint(), any: z.any() }).optional(),
  }),
});
const notes = new Collection({ schema: v.object({ id: v.number(), text: v.string() }) });
const shapes = new Collection({
  schema: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("circle"), radius: z.number() }),
    z.object({ kind: z.literal("square"), side: z.number() }),
  ]),
});

// The real package's collections are what the option takes, whatever library their schema is of.
expectTypeOf({ users, notes, shapes }).toExtend<CollectionTables>();

const emulator = await createEmulator({
  fixtures: { tables: { orders: [{ id: 1, user: 1 }], users: [{ old: true }] } },
  tables: { users, notes, shapes },
});
const { tables } = emulator;

// Rows have the properties of records, as JSON would have them.
type User = ReturnType<typeof tables.users.rows>[number];
expectTypeOf<User["id"]>().toEqualTypeOf<number>();
expectTypeOf<User["role"]>().toEqualTypeOf<"admin" | "user">();
expectTypeOf<User["nick"]>().toEqualTypeOf<string | null>();
expectTypeOf<User["note"]>().toEqualTypeOf<string | null>();
expectTypeOf<User["born"]>().toEqualTypeOf<string | null>();
expectTypeOf<User["address"]>().toEqualTypeOf<{
  readonly city: string;
  readonly zip: string | undefined;
} | null>();
expectTypeOf<User["tags"]>().toEqualTypeOf<readonly string[]>();
expectTypeOf<User["extra"]>().toEqualTypeOf<RowValue>();
expectTypeOf<User["views"]>().toEqualTypeOf<number | bigint | null>();
expectTypeOf<User["photo"]>().toEqualTypeOf<Uint8Array | null>();
expectTypeOf<User["inner"]>().toEqualTypeOf<{
  readonly big: number;
  readonly any: JsonValue | undefined;
} | null>();
expectTypeOf<keyof User>().toEqualTypeOf<
  | "id"
  | "name"
  | "role"
  | "nick"
  | "note"
  | "born"
  | "address"
  | "tags"
  | "extra"
  | "views"
  | "photo"
  | "inner"
>();
type Note = ReturnType<typeof tables.notes.rows>[number];
expectTypeOf<Note>().toEqualTypeOf<{ readonly id: number; readonly text: string }>();

// Writes take what the collection takes, and give promises.
expectTypeOf(
  tables.users.insert({ name: "Ada", tags: [], born: new Date() }),
).resolves.toEqualTypeOf<User>();
expectTypeOf(tables.users.update(1, { nick: null })).resolves.toEqualTypeOf<User>();
expectTypeOf(tables.users.delete(1)).resolves.toEqualTypeOf<boolean>();
void tables.shapes.insert({ kind: "circle", radius: 1 });
expectTypeOf(tables.users.get(1)?.name).toEqualTypeOf<string | undefined>();
// @ts-expect-error There is no such column.
void tables.users.insert({ name: "x", nmae: "y" });
// @ts-expect-error The column takes text.
void tables.users.update(1, { name: 5 });
// @ts-expect-error The row comes later.
void tables.users.insert({ name: "x" }).name;
// @ts-expect-error There is no such column.
void tables.users.get(1)?.old;

// Other tables of the fixtures are what they were; one of the same name is replaced.
expectTypeOf(tables.orders.insert({ user: 2 }).id).toEqualTypeOf<number>();
// @ts-expect-error There is no such table.
void tables.nope;

// Declared columns choose from the record, or add what it does not tell.
const declared = await createEmulator({
  tables: {
    people: {
      collection: users,
      primaryKey: "id",
      columns: { id: "INTEGER", name: { type: "TEXT", unique: true }, more: "REAL" },
    },
    keyed: { collection: notes, primaryKey: ["id", "text"] },
  },
});
type Person = ReturnType<typeof declared.tables.people.rows>[number];
expectTypeOf<Person>().toEqualTypeOf<{
  readonly id: number;
  readonly name: string;
  readonly more: number | null;
}>();
void declared.tables.people.insert({ name: "Ada" });
// @ts-expect-error It is no column of the table.
void declared.tables.people.insert({ name: "Ada", nick: "x" });
expectTypeOf(declared.tables.keyed.get([1, "x"])?.text).toEqualTypeOf<string | undefined>();

// Beside fixtures that were read before, a collection has its own types, and any other name is a table.
declare const set: FixtureSet;
const mixed = await createEmulator({ fixtures: set, tables: { notes } });
expectTypeOf(mixed.tables.notes.rows()).toEqualTypeOf<readonly Note[]>();
expectTypeOf(mixed.tables.notes.insert({ text: "x" })).resolves.toEqualTypeOf<Note>();
void mixed.tables["orders"]?.insert({ any: 1 })["any"];

// Fixtures that tell nothing leave their tables as they are.
declare const options: EmulatorOptions;
const plain = await createEmulator(options);
expectTypeOf(plain).toExtend<Emulator>();
expectTypeOf(plain.tables["any"]?.rows()).toEqualTypeOf<readonly Row[] | undefined>();

// @ts-expect-error This is no collection.
void createEmulator({ tables: { users: [{ id: 1 }] } });

// One type parameter says which tables there are: it is passed on from emulators to sessions and to tests.
const kept = <Tables>(given: Emulator<Tables>): Tables => given.session("one").tables;
expectTypeOf(kept(emulator)).toEqualTypeOf<typeof tables>();
expectTypeOf(createTest({ emulator })).toEqualTypeOf<BacklotTest<typeof tables>>();
