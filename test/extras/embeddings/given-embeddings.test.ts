import { expect, test } from "vitest";
import { similarity, vectorsOf, wholeService } from "./support.ts";

const refund = "Our refund policy: money comes back within thirty days.";
const embeddings = [
  { text: "x", vector: [3, 4] },
  { text: "How do I get my cash?", near: refund },
  { text: "cash?", near: "How do I get my cash?" },
  { text: "nearly x", near: "X" },
];

test("a text has the vector of the fixtures, filled with zeros and brought to length 1", async () => {
  const emulator = await wholeService({ embeddings });
  const [vector = []] = await vectorsOf(emulator, "x");
  expect(vector).toHaveLength(1536);
  expect(vector.slice(0, 3)).toEqual([Math.fround(0.6), Math.fround(0.8), 0]);
  expect((await vectorsOf(emulator, "x", { dimensions: 1 }))[0]).toEqual([1]);
});

test("a vector of the fixtures that begins with zeros has a direction even when it is shortened", async () => {
  const emulator = await wholeService({ embeddings: [{ text: "x", vector: [0, 0, 1] }] });
  expect((await vectorsOf(emulator, "x", { dimensions: 2 }))[0]).toEqual([1, 0]);
});

test("spaces and capitals make no difference", async () => {
  const emulator = await wholeService({ embeddings });
  const [exact] = await vectorsOf(emulator, "How do I get my cash?");
  const [first = [], , second = []] = await vectorsOf(emulator, [
    "  how do\nI get my CASH?",
    "How do I get my cash",
    "How do I get my cash?",
  ]);
  expect(similarity(first, exact ?? [])).toBeGreaterThan(0.99);
  expect(second).toEqual(exact);
});

test("a text is near to its neighbour, though it shares no word, and so is a neighbour's neighbour", async () => {
  const emulator = await wholeService({ embeddings });
  const [neighbour = [], near = [], further = [], given = [], nearGiven = []] = await vectorsOf(
    emulator,
    [refund, "How do I get my cash?", "cash?", "x", "nearly x"],
  );
  expect(similarity(near, neighbour)).toBeCloseTo(0.95, 1);
  expect(similarity(further, neighbour)).toBeGreaterThan(0.8);
  expect(similarity(nearGiven, given)).toBeCloseTo(0.95, 1);
  expect(near).not.toEqual(neighbour);
});

test("without its neighbour such a text would be elsewhere", async () => {
  const [near = [], neighbour = []] = await vectorsOf(await wholeService(), [
    "How do I get my cash?",
    refund,
  ]);
  expect(similarity(near, neighbour)).toBeLessThan(0.2);
});

test("sessions, exports and imports have the vectors of the fixtures", async () => {
  const emulator = await wholeService({ embeddings });
  const [vector] = await vectorsOf(emulator, "x");
  expect(await vectorsOf(emulator.session("a"), "x")).toEqual([vector]);
  const exported = await (await emulator.fetch("/__backlot/state")).json();
  expect(exported.embeddings).toEqual(embeddings);
  const other = await wholeService();
  const put = await other.fetch("/__backlot/state", {
    method: "PUT",
    body: JSON.stringify(exported),
    headers: { "content-type": "application/json" },
  });
  expect(put.status).toBe(204);
  expect(await vectorsOf(other, "x")).toEqual([vector]);
  other.reset();
  expect(await vectorsOf(other, "x")).not.toEqual([vector]);
});
