import fc from "fast-check";
import { expect, test } from "vitest";
import { isEmulatorError } from "../../../src/core/errors/emulator-error.ts";
import {
  readFixtureDocument,
  readFixtureFiles,
} from "../../../src/core/fixture-set/read-fixtures.ts";
import { readScript } from "../../../src/core/fixture-set/read-script.ts";
import { tries } from "../../support/tries.ts";

/** Settles, or rejects with an EmulatorError that has a line for each problem; anything else is a bug. */
async function loadsOrIsRefused(reading: Promise<unknown>): Promise<void> {
  try {
    await reading;
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    expect(error.message.split("\n").length).toBeGreaterThan(error.problems.length);
  }
}

const words =
  "tables models chats seed clock chat profiles apiKeys $schema id rows columns primaryKey generate " +
  "count row type references name when user regex anyOf reply replies content chunks error status " +
  "message pace by INTEGER TEXT users.id __proto__ constructor toString hasOwnProperty length ( *";

const wordList = [...words.split(" "), "", "{{ user }}", "{% if"];

/** JSON that is made of the format's own words, so that it gets far. */
const wordyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(...wordList, null, true, 0, 1, -1, 2.5, 1e300),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...wordList), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const options = { seed: 1, checkTemplates: true };

test("loads or refuses any JSON value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), wordyJson), async (value) => {
      await loadsOrIsRefused(readFixtureDocument(value, options));
    }),
    { numRuns: tries(300) },
  );
});

test("loads or refuses any value of JavaScript", async () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
  });
  await fc.assert(
    fc.asyncProperty(anything, async (value) => {
      await loadsOrIsRefused(readFixtureDocument(value, options));
      await loadsOrIsRefused(readScript(value));
    }),
    { numRuns: tries(200) },
  );
});

test("loads or refuses any text, as a document and in a folder", async () => {
  const soup = fc.array(
    fc.constantFrom(...'{}[]",:/*\\ \n\t0-.eutfn'.split(""), ...wordList.map((w) => `"${w}"`)),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    soup.map((parts) => parts.join("")),
    wordyJson.map((value) => JSON.stringify(value)),
  );
  const name = fc.constantFrom(
    "config.json",
    "models.jsonc",
    "chats/a.json",
    "tables/t.jsonc",
    "x",
  );
  await fc.assert(
    fc.asyncProperty(text, name, async (content, file) => {
      const files = [{ path: file, name: file, text: content }];
      await loadsOrIsRefused(readFixtureFiles(files, { ...options, layout: "document" }));
      await loadsOrIsRefused(readFixtureFiles(files, options));
    }),
    { numRuns: tries(300) },
  );
});

test("locates every problem of a text", async () => {
  await fc.assert(
    fc.asyncProperty(wordyJson, async (value) => {
      const files = [{ path: "f.json", name: "f.json", text: JSON.stringify(value, null, 1) }];
      const error: unknown = await readFixtureFiles(files, { layout: "document" }).catch(
        (thrown: unknown) => thrown,
      );
      for (const problem of isEmulatorError(error) ? error.problems : []) {
        expect(problem).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
      }
    }),
    { numRuns: tries(200) },
  );
});
