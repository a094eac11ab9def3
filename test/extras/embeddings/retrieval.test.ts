import { expect, test } from "vitest";
import { readPassages } from "./read-passages.ts";
import { similarity, vectorsOf, wholeService } from "./support.ts";

/** How many questions have their passage among the nearest three. */
async function foundIn(file: string, settings: object, fields: object = {}): Promise<number> {
  const emulator = await wholeService({}, settings);
  const passages = readPassages(file);
  const asked = passages.filter(({ question }) => question !== undefined);
  const texts = passages.map(({ text }) => text);
  const vectors = await vectorsOf(emulator, texts, fields);
  const questions = await vectorsOf(
    emulator,
    asked.map(({ question }) => question ?? ""),
    fields,
  );
  const found = asked.filter((passage, index) => {
    const scores = vectors.map((vector) => similarity(vector, questions[index] ?? []));
    const own = scores[passages.indexOf(passage)] ?? 0;
    return scores.filter((score) => score > own).length < 3;
  });
  return found.length;
}

test("of 50 questions that paraphrase one of 200 passages, 45 find it among the nearest three", async () => {
  expect(readPassages("passages.txt")).toHaveLength(200);
  for (const seed of [undefined, 2, 3]) {
    expect(await foundIn("passages.txt", { seed })).toBeGreaterThanOrEqual(45);
  }
  const large = { model: "text-embedding-3-large" };
  expect(await foundIn("passages.txt", {}, large)).toBeGreaterThanOrEqual(45);
});

test("of 14 questions about 40 passages on one subject, 12 find theirs among the nearest three", async () => {
  expect(readPassages("other-passages.txt")).toHaveLength(40);
  expect(await foundIn("other-passages.txt", {})).toBeGreaterThanOrEqual(12);
});

test("shortened to a sixth, vectors still find most passages", async () => {
  expect(await foundIn("passages.txt", {}, { dimensions: 256 })).toBeGreaterThanOrEqual(38);
});
