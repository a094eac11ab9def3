import { expect, test } from "vitest";
import type { FixtureSet } from "../../../src/core/fixture-set/fixture-set.ts";
import {
  readFixtureDocument,
  readFixtureFiles,
} from "../../../src/core/fixture-set/read-fixtures.ts";
import { folder } from "./problems-of.ts";

function read(content: string): Promise<FixtureSet> {
  const files = folder({
    "tables/users.json": '[{ "id": 1 }]',
    "chats/a.json": JSON.stringify({ reply: { content } }),
  });
  return readFixtureFiles(files);
}

test("takes tables that a set has not only where there are such", async () => {
  const set = await read("{{ tables.users.size }}{{ tables.books.size }}{{ tables.nope.size }}");
  const place = "Cannot use the fixtures:\nfx/chats/a.json:1:";

  await expect(set.checkTables?.([])).rejects.toMatchObject({
    code: "ERR_FIXTURES_INVALID",
    message: expect.stringMatching(new RegExp(`^${place}\\d+: .* tables\\.books\\. In "tables"`)),
  });
  await expect(set.checkTables?.(["books"])).rejects.toThrow(
    'undefined variable: tables.nope. In "tables" here: "users", "books".',
  );
  await expect(set.checkTables?.(["nope", "books", "users"])).resolves.toBeUndefined();
});

test("knows a set's copies, too", async () => {
  const set = await read("{{ tables.nope.size }}");
  const copy: FixtureSet = { ...set, warnings: [] };
  await expect(copy.checkTables?.([])).rejects.toThrow("tables.nope");
});

test.each(["no template of tables", "{{ tables.users.size }}", "{{ tables.nope | default: 1 }}"])(
  "takes a set of %s as it is",
  async (content) => {
    const set = await read(content);
    await expect(Promise.resolve(set.checkTables?.([]))).resolves.toBeUndefined();
  },
);

test("names each table once, also where a collection stands in its place", async () => {
  const document = {
    tables: { users: [{ id: 1 }] },
    chats: [{ reply: { content: "{{ tables.nope.size }}" } }],
  };
  await expect(readFixtureDocument(document, { otherTables: ["users", "books"] })).rejects.toThrow(
    'tables.nope. In "tables" here: "users", "books".',
  );
});
