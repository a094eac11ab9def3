import fc from "fast-check";
import { expect, test } from "vitest";
import { post, wholeService } from "./support.ts";

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", " ", "x", "the", "\uD800"),
);
const tokens = fc.array(fc.oneof(fc.nat(110_000), fc.integer()), { maxLength: 4 });

const body = fc.record(
  {
    model: fc.oneof(fc.constantFrom("embed", "text-embedding-ada-002", "atlas"), fc.jsonValue()),
    input: fc.oneof(
      texts,
      fc.array(texts, { maxLength: 4 }),
      tokens,
      fc.array(tokens),
      fc.jsonValue(),
    ),
    encoding_format: fc.oneof(fc.constantFrom("float", "base64", null), fc.jsonValue()),
    dimensions: fc.oneof(fc.integer({ min: -1, max: 40 }), fc.jsonValue()),
    user: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const fixtures = {
  models: [
    { id: "embed", kind: "embedding", dimensions: 32 },
    { id: "text-embedding-ada-002", kind: "embedding" },
    { id: "atlas" },
  ],
  embeddings: [
    { text: "x", vector: [0, 0, 1] },
    { text: "the", near: "x" },
  ],
};

test("any body gets vectors of length 1, or an error that says what is wrong", async () => {
  const emulator = await wholeService(fixtures);
  const given = fc.oneof(body, fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(given, async (sent) => {
      const { status, body: answer } = await post(emulator, sent);
      if (status !== 200) {
        expect([400, 403, 404]).toContain(status);
        expect(answer.error.message).not.toBe("");
        return;
      }
      for (const { embedding } of answer.data) {
        const bytes = Buffer.from(String(embedding), "base64");
        const numbers: number[] = Array.isArray(embedding)
          ? embedding
          : Array.from({ length: bytes.length / 4 }, (__, place) => bytes.readFloatLE(place * 4));
        expect(Math.hypot(...numbers)).toBeCloseTo(1, 4);
      }
    }),
  );
});
