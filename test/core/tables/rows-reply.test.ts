import { expect, test } from "vitest";
import { rowsReply } from "../../../src/core/tables/rows-reply.ts";
import { BlobValue, ExactInteger, WholeReal } from "../../../src/core/store/value.ts";
import { RecordingSink } from "../../support/recording-sink.ts";

function textOf(rows: Parameters<typeof rowsReply>[0]): string {
  const { body } = rowsReply(rows, "GET things");
  return body.kind === "text" ? body.text : "";
}

/** What is sent of rows that are too many, or too large, for a text. */
function sentOf(rows: Parameters<typeof rowsReply>[0]): string {
  const { body } = rowsReply(rows, "GET things");
  const sink = new RecordingSink(() => 0);
  if (body.kind === "live") body.play(sink);
  return sink.text;
}

test.each([
  [101, 50_000],
  [60, 100_000],
  [2, 5_000_000],
])("writes %i rows with %i characters each while they are sent", (count, length) => {
  const rows = Array.from({ length: count }, (_, id) => ({ id, text: "é".repeat(length) }));
  expect(sentOf(rows) === JSON.stringify({ result: rows })).toBe(true);
});

test.each([[0], [1], [2], [100], [101]])("writes %i rows as JSON.stringify does", (count) => {
  const rows = Array.from({ length: count }, (_, id) => Object.freeze({ id, name: `"${id}"\n` }));
  const expected = JSON.stringify({ result: rows });
  expect(textOf(rows)).toBe(expected);
  expect(textOf(rows)).toBe(expected);
});

test("writes values that only a database has as clients see them", () => {
  const blob = new BlobValue(new Uint8Array());
  const row = { a: new ExactInteger(2n ** 60n + 1n), b: new WholeReal(5), c: blob };
  expect(textOf([row])).toBe(`{"result":[{"a":${2 ** 60},"b":5,"c":{}}]}`);
});

test("goes on when more texts are written than it keeps", () => {
  const rows = Array.from({ length: 300 }, (_, id) =>
    Object.freeze({ id, text: "x".repeat(20_000) }),
  );
  const texts = rows.map((row) => textOf([row]));
  expect(texts).toEqual(rows.map((row) => JSON.stringify({ result: [row] })));
});
