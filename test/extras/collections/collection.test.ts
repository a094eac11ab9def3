import { Collection } from "@msw/data";
import { expect, test } from "vitest";
import { z } from "zod";
import { collectionSource } from "../../../src/extras/collections/collection.ts";

const schema = z.object({ id: z.number() });

test("recognises a collection and the schema that it was made with", () => {
  const collection = new Collection({ schema });
  expect(collectionSource(collection)).toEqual({ collection, schema });
});

const others: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["rows", [{ id: 1 }]],
  ["a Map", new Map()],
  ["an object with the schema only", { options: { schema } }],
  [
    "one whose records are copies",
    Object.assign(new Collection({ schema }), { all: () => [{ id: 1 }] }),
  ],
  ["one without a schema", Object.assign(new Collection({ schema }), { options: {} })],
];

for (const [what, value] of others) {
  test(`does not take ${what} for a collection`, () => {
    expect(collectionSource(value)).toBeUndefined();
  });
}
