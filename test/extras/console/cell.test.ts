import { expect, test } from "vitest";
import {
  copyOf,
  draftOf,
  readDraft,
  readRow,
  showCell,
} from "../../../src/extras/console/tables/cell.ts";

test.each([
  [null, "TEXT", { kind: "null", text: "null" }],
  ["null", "TEXT", { kind: "text", text: "null" }],
  ["", "TEXT", { kind: "text", text: "" }],
  [undefined, "TEXT", { kind: "missing", text: "" }],
  [0, "INTEGER", { kind: "number", text: "0" }],
  [1e21, "REAL", { kind: "rounded", text: "≈ 1000000000000000000000" }],
  [false, "BOOLEAN", { kind: "boolean", text: "false" }],
  [{ a: [1] }, "JSON", { kind: "json", text: '{"a":[1]}' }],
  [{}, "BLOB", { kind: "blob", text: "bytes" }],
  [{}, "JSON", { kind: "json", text: "{}" }],
  [9007199254740992, "INTEGER", { kind: "rounded", text: "≈ 9007199254740992" }],
  ["9007199254740993", "INTEGER", { kind: "text", text: "9007199254740993" }],
  ["one\n  two", "TEXT", { kind: "text", text: "one ↵ two" }],
])("shows %j of a column of %s as %j", (value, type, shown) => {
  expect(showCell(value, { type })).toEqual(shown);
});

test.each([
  [null, "TEXT"],
  ["plain", "TEXT"],
  ["5", "TEXT"],
  ["", "TEXT"],
  [5, "INTEGER"],
  ["9007199254740993", "INTEGER"],
  [true, "BOOLEAN"],
  [{ deep: [{ a: "long ".repeat(40) }, null] }, "JSON"],
  ["a text", "JSON"],
])("edits %j of a column of %s without changing it", (value, type) => {
  expect(readDraft(draftOf(value, { type }))).toEqual({ ok: true, value });
});

test("sends digits that no number holds as a text", () => {
  expect(readDraft({ mode: "json", text: " 9007199254740993 " })).toEqual({
    ok: true,
    value: "9007199254740993",
  });
});

test("says what is not JSON, and what to do", () => {
  const read = readDraft({ mode: "json", text: "hello" });
  expect(read).toEqual({ ok: false, error: expect.stringContaining('the kind "text"') });
});

test("leaves empty fields out of a new row, but not nulls", () => {
  const row = readRow(
    new Map([
      ["id", { mode: "json", text: "" }],
      ["name", { mode: "text", text: "Ada" }],
      ["city", { mode: "null", text: "" }],
      ["age", { mode: "json", text: "36" }],
    ]),
  );
  expect(row).toEqual({ ok: true, value: { name: "Ada", city: null, age: 36 } });
});

test("says of each column whose value is not JSON", () => {
  const row = readRow(
    new Map([
      ["age", { mode: "json", text: "?" }],
      ["name", { mode: "text", text: "Ada" }],
    ]),
  );
  const error = new Map([["age", expect.stringMatching(/^This is not JSON/)]]);
  expect(row).toEqual({ ok: false, error });
});

test("begins a row like another one, without its generated key and its bytes", () => {
  const columns = [
    { name: "id", type: "INTEGER", notNull: true },
    { name: "name", type: "TEXT", notNull: true },
    { name: "note", type: "TEXT", notNull: false },
    { name: "image", type: "BLOB", notNull: false },
  ];
  const row = { id: 7, name: "", note: null, image: "AP8=" };
  const like = readRow(copyOf({ columns, primaryKey: ["id"] }, row));
  expect(like).toEqual({ ok: true, value: { name: "", note: null } });
  expect(readRow(copyOf({ columns, primaryKey: ["id", "name"] }, row))).toMatchObject({
    value: { id: 7, name: "" },
  });
});
