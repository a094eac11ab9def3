import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonFilePieces, jsonPieces, jsonPiecesReply } from "../../../src/core/http/json-pieces.ts";
import { RecordingSink } from "../../support/recording-sink.ts";
import { tries } from "../../support/tries.ts";

const long = "x".repeat(100_000);

test("writes any value as JSON.stringify does, on one line and on many", () => {
  const value = fc.jsonValue().map((part) => [part, { long, part }, long]);
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), value), (any) => {
      expect([...jsonPieces(any)].join("")).toBe(JSON.stringify(any));
      expect([...jsonFilePieces(any)].join("")).toBe(`${JSON.stringify(any, undefined, 2)}\n`);
    }),
    { numRuns: tries(200) },
  );
});

test("writes what is nested deeply below many levels of large values", () => {
  let nested: unknown = 1;
  for (let level = 0; level < 900; level++) nested = { nested, long: level < 5 ? long : level };
  expect([...jsonPieces(nested)].join("")).toBe(JSON.stringify(nested));
});

test("gives each piece in its turn to a client that reads slowly, and nothing once it has gone", () => {
  const rows = Array.from({ length: 60 }, (_, id) => ({ id, long }));
  const reply = jsonPiecesReply(jsonPieces(rows));
  const sink = new RecordingSink(() => 0);
  sink.takesMore = false;
  const playback = reply.body.kind === "live" ? reply.body.play(sink) : undefined;
  expect(sink.writes).toHaveLength(1);
  playback?.resume();
  expect(sink.writes).toHaveLength(2);
  sink.takesMore = true;
  playback?.resume();
  expect(sink.text).toBe(JSON.stringify(rows));
  expect(sink.ends).toEqual(["close"]);
  const left = new RecordingSink(() => 0);
  left.takesMore = false;
  const other = jsonPiecesReply(jsonPieces(rows));
  const stopped = other.body.kind === "live" ? other.body.play(left) : undefined;
  stopped?.stop();
  stopped?.resume();
  expect(left.writes).toHaveLength(1);
  expect(left.ends).toEqual([]);
});

test("answers with a text where it is short", () => {
  expect(jsonPiecesReply(jsonPieces([1])).body).toEqual({ kind: "text", text: "[1]" });
});
