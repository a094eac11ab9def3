import { Collection } from "@msw/data";
import { expect, test } from "vitest";
import { z } from "zod";
import { createEmulator } from "../../../src/index.ts";
import type { FixtureSet } from "../../../src/core/fixture-set/fixture-set.ts";
import { readFixtureFiles } from "../../../src/core/fixture-set/read-fixtures.ts";

/** Fixtures as `loadFixtures` gives them. */
function fixturesSaying(content: string): Promise<FixtureSet> {
  const text = JSON.stringify({ tables: { users: [{ id: 1 }] }, chats: [{ reply: { content } }] });
  return readFixtureFiles([{ name: "db.json", path: "db.json", text }], { layout: "document" });
}

test("refuses a set of fixtures whose templates name a table that the emulator has not", async () => {
  const fixtures = await fixturesSaying("{{ tables.nope.size }}");
  await expect(createEmulator({ fixtures })).rejects.toMatchObject({
    code: "ERR_FIXTURES_INVALID",
    message:
      "Cannot use the fixtures:\ndb.json:1:65: The template is not valid: " +
      'undefined variable: tables.nope. In "tables" here: "users".',
  });
});

test("takes a set of fixtures whose templates name a collection", async () => {
  const fixtures = await fixturesSaying("{{ tables.books.size }}");
  const tables = { books: new Collection({ schema: z.object({ id: z.number() }) }) };
  await expect(createEmulator({ fixtures, tables })).resolves.toBeDefined();
});
