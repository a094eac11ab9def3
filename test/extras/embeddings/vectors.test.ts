import { expect, test } from "vitest";
import { withoutEnding } from "../../../src/extras/embeddings/words.ts";
import { readPassages } from "./read-passages.ts";
import { post, similarity, vectorsOf, wholeService } from "./support.ts";

async function similarityOf(left: string, right: string): Promise<number> {
  const [one = [], other = []] = await vectorsOf(await wholeService(), [left, right]);
  return similarity(one, other);
}

test("a text has the same vector in every process, without a seed too", async () => {
  const fields = { dimensions: 4, encoding_format: "base64" };
  const texts = ["The quick brown fox", "refund"];
  const expected = ["WRFqvVkRaj28XnG/yoKlPg==", "5if7volgAj/O/DQ/Xi9ZvA=="];
  expect(await vectorsOf(await wholeService(), texts, fields)).toEqual(expected);
});

test("another seed, model or text gives another vector", async () => {
  const text = "How do I return a parcel?";
  const [usual = []] = await vectorsOf(await wholeService(), text);
  const [seeded = []] = await vectorsOf(await wholeService({ seed: 2 }), text);
  const [ofModel = []] = await vectorsOf(await wholeService(), text, { model: "atlas-embed" });
  const [reworded = []] = await vectorsOf(await wholeService(), "Where is the oldest bridge?");
  for (const other of [seeded, ofModel, reworded]) {
    expect(other).toHaveLength(1536);
    expect(Math.abs(similarity(usual, other))).toBeLessThan(0.15);
  }
});

test("a session, and a reset of the random numbers, change no vector", async () => {
  const emulator = await wholeService();
  const [base] = await vectorsOf(emulator, "parcel");
  const session = emulator.session("a", { seed: 5 });
  await post(session, { model: "m", input: "other" });
  expect(await vectorsOf(session, "parcel")).toEqual([base]);
});

test.each([
  "parcel",
  "a much longer text about many things",
  "!!!",
  " ",
  "你好",
  "🙂",
  "the of and",
])("the vector of %j has the length 1, whole and shortened", async (text) => {
  const emulator = await wholeService();
  for (const dimensions of [1536, 700, 8, 1]) {
    const [vector = []] = await vectorsOf(emulator, text, { dimensions });
    expect(vector).toHaveLength(dimensions);
    expect(similarity(vector, vector)).toBeCloseTo(1, 5);
  }
});

test("a shortened vector points where the first numbers of the whole one do", async () => {
  const emulator = await wholeService();
  const text = "Bring an umbrella, for it will rain.";
  const [whole = []] = await vectorsOf(emulator, text);
  const [short = []] = await vectorsOf(emulator, text, { dimensions: 200 });
  const first = whole.slice(0, 200);
  expect(similarity(first, short) / Math.hypot(...first)).toBeCloseTo(1, 5);
});

test("vectors have as many numbers as those of the model of that name, or as the fixtures say", async () => {
  const models = [
    ...["text-embedding-3-large", "text-embedding-ada-002", "bge"].map((id) => ({
      id,
      kind: "embedding",
    })),
    { id: "small", variant: "small-2026", kind: "embedding", dimensions: 384 },
  ];
  const emulator = await wholeService({ models });
  const sizes = { "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536, bge: 1536 };
  for (const [model, size] of Object.entries({ ...sizes, small: 384, "small-2026": 384 })) {
    const [vector] = await vectorsOf(emulator, "parcel", { model });
    expect(vector).toHaveLength(size);
  }
  const [byId] = await vectorsOf(emulator, "parcel", { model: "small" });
  expect(await vectorsOf(emulator, "parcel", { model: "small-2026" })).toEqual([byId]);
});

test("texts are nearer the more words they share, whatever their endings and capitals", async () => {
  const text = "The parcel was delivered to our neighbours.";
  const same = await similarityOf(text, "Parcels are DELIVERED to a neighbour");
  const half = await similarityOf(text, "Which neighbour ordered the pizza?");
  const none = await similarityOf(text, "Whales sleep under water.");
  expect(same).toBeGreaterThan(0.8);
  expect(half).toBeLessThan(same - 0.2);
  expect(half).toBeGreaterThan(none + 0.1);
  expect(Math.abs(none)).toBeLessThan(0.15);
});

test('words such as "the" make no texts near', async () => {
  const text = "the ticket for the train";
  expect(await similarityOf(text, "the cat on the mat")).toBeLessThan(0.15);
  expect(await similarityOf(text, "train ticket")).toBeGreaterThan(0.6);
});

test("texts of scripts without spaces are near if they share words", async () => {
  const near = await similarityOf("我想退款。怎么办理退款？", "退款政策：三十天内可以退款");
  const far = await similarityOf("我想退款。怎么办理退款？", "今天天气很好，适合散步");
  expect(near).toBeGreaterThan(far + 0.15);
});

test.each([
  ["carries carried carry", "carri"],
  ["stopping stopped stops stop", "stop"],
  ["stored storing stores store", "stor"],
  ["quickly quick", "quick"],
  ["boxes box", "box"],
  ["batteries battery", "batteri"],
  ["thieves thief", "thief"],
  ["worn wore wear", "wear"],
  ["paid pays paying pay", "pay"],
  ["class classes", "class"],
  ["tries tried try", "tri"],
  ["used uses use", "us"],
  ["eggs egg", "eg"],
  ["bus", "bus"],
  ["analysis", "analysi"],
  ["été", "été"],
])("%s are one word", (words, stem) => {
  for (const word of words.split(" ")) expect(withoutEnding(word)).toBe(stem);
});

/** The time of the processor: the machine may be busy with others. */
async function processorTime(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(["base64", "float"])(
  "1,000 passages of some 75 words have their vectors in less than a second, as %s",
  async (encoding) => {
    const emulator = await wholeService();
    const passages = readPassages("passages.txt").map(({ text }) => text);
    const input = Array.from(
      { length: 1000 },
      (_, place) => `${passages[place % 200]} ${passages[(7 * place + 3) % 200]}`,
    );
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const fields = { encoding_format: encoding };
      times.push(await processorTime(() => vectorsOf(emulator, input, fields)));
    }
    expect(Math.min(...times)).toBeLessThan(1000);
  },
);
