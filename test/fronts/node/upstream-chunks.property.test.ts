import fc from "fast-check";
import { expect, test } from "vitest";
import { ChunkMerger } from "../../../src/fronts/node/upstream-chunks.ts";

/** A body in chunks as a service sends it. */
function chunked(texts: readonly string[], { extension = "", end = "0\r\n\r\n" } = {}): string {
  const chunks = texts.map((text) => `${text.length.toString(16)}${extension}\r\n${text}\r\n`);
  return chunks.join("") + end;
}

/** What a parser takes out of a chunked body as far as it came, and how many chunks it saw. */
function parsed(bytes: string): { readonly text: string; readonly chunks: number } {
  let text = "";
  let chunks = 0;
  for (let rest = bytes; ;) {
    const [line, size = ""] = /^([\da-f]+)[^\r]*\r\n/i.exec(rest) ?? [];
    const length = Number.parseInt(size, 16);
    if (line === undefined || length === 0) return { text, chunks };
    text += rest.slice(line.length, line.length + length);
    chunks += 1;
    rest = rest.slice(line.length + length + 2);
  }
}

function cut(text: string, places: readonly number[]): readonly string[] {
  const ordered = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted(
    (left, right) => left - right,
  );
  return [0, ...ordered].map((from, index) => text.slice(from, ordered[index]));
}

const body = fc.record({
  texts: fc.array(fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 40 }), {
    maxLength: 20,
  }),
  extension: fc.constantFrom("", "", "", ";a=1"),
  end: fc.constantFrom("0\r\n\r\n", "0\r\nx-end: 1\r\n\r\n", "", "zz\r\n", "\r\n", "1\n"),
  places: fc.array(fc.nat(1000), { maxLength: 8 }),
});

test("says the same after each piece as what was sent, in no more chunks", () => {
  fc.assert(
    fc.property(body, ({ texts, places, ...more }) => {
      const merger = new ChunkMerger();
      let sent = "";
      let merged = "";
      for (const piece of cut(chunked(texts, more), places)) {
        sent += piece;
        merged += merger.merge(Buffer.from(piece, "latin1")).toString("latin1");
        expect(parsed(merged).text).toBe(parsed(sent).text);
        expect(parsed(merged).chunks).toBeLessThanOrEqual(parsed(sent).chunks);
      }
      expect(merged.endsWith(more.end)).toBe(true);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test("makes one chunk of all that came whole", () => {
  const text = new ChunkMerger().merge(Buffer.from(chunked(["one", "two", "three"])));
  expect(text.toString()).toBe("b\r\nonetwothree\r\n0\r\n\r\n");
});

test("leaves the chunks that a piece begins and ends within as they are", () => {
  const merger = new ChunkMerger();
  merger.merge(Buffer.from("5\r\nhe"));
  const text = merger.merge(Buffer.from("llo\r\n2\r\nab\r\n1\r\nc\r\n6\r\nth"));
  expect(text.toString()).toBe("llo\r\n3\r\nabc\r\n6\r\nth");
});

test.each([
  ["an extension", "1;x=1\r\na\r\n1\r\nb\r\n"],
  ["no size", "\r\n1\r\nb\r\n1\r\nb\r\n"],
  ["a size of too many digits", "00000001\r\na\r\n1\r\nb\r\n1\r\nb\r\n"],
  ["data that is longer than its size", "1\r\nab\r\n1\r\nb\r\n1\r\nb\r\n"],
])("gives on as it is what begins with %s", (_, sent) => {
  expect(new ChunkMerger().merge(Buffer.from(sent)).toString()).toBe(sent);
});
