import { expect, test } from "vitest";
import { isTapeOf, tapeNames } from "../../../src/fronts/node/tape-place.ts";

function namesOf(tests: readonly string[], project = ""): readonly string[] {
  return tapeNames({ project, tests });
}

test("a cassette has the name of its test, if that is a plain file name", () => {
  const plain = ["tells the weather", "v1.2_a-b", "météo à Zürich", "東京の天気", "मौसम"];
  expect(namesOf(plain)).toEqual(plain.map((name) => `${name}.json`));
});

test("a name that is no plain file name stays readable, and gets a hash of its own", () => {
  expect(namesOf(["a/b", "a:b", "is it raining?", "☔", " a", ""])).toEqual([
    expect.stringMatching(/^a-b-[\da-f]{6}\.json$/),
    expect.stringMatching(/^a-b-[\da-f]{6}\.json$/),
    expect.stringMatching(/^is it raining-[\da-f]{6}\.json$/),
    expect.stringMatching(/^test-[\da-f]{6}\.json$/),
    expect.stringMatching(/^a-[\da-f]{6}\.json$/),
    expect.stringMatching(/^test-[\da-f]{6}\.json$/),
  ]);
});

test.each([
  ["signs that file names cannot have", ["a/b", "a:b", "a\\b", "a?b", "a-b"]],
  ["emoji", ["☔", "☀", "test"]],
  ["what follows the first hundred characters", ["x".repeat(101), "x".repeat(102)]],
  ["spaces at the ends", ["a", "a ", " a"]],
  ["the same name twice, and a name like a number", ["a", "a", "a 2", "a #2", "a"]],
  ["the case of letters", ["Oslo", "oslo"]],
  ["how an accent is written", ["\u00e9", "e\u0301"]],
])("tests get different files if they differ by %s", (_, tests) => {
  const files = namesOf(tests).map((name) => name.normalize("NFC").toLowerCase());
  expect(new Set(files).size).toBe(tests.length);
});

test("numbers tests of one name in their order", () => {
  expect(namesOf(["a", "b", "a", "a"])).toEqual(["a.json", "b.json", "a #2.json", "a #3.json"]);
});

test("the name of a test does not depend on tests of other names", () => {
  expect(namesOf(["a:b", "b", "a/b"])[2]).toBe(namesOf(["a/b", "a:b"])[0]);
});

test("each project has cassettes of its own", () => {
  expect(namesOf(["a", "a"], "node")).toEqual(["a (node).json", "a (node) #2.json"]);
  const [one, other] = ["a/b", "a:b"].map((project) => namesOf(["a"], project)[0]);
  expect(one).toMatch(/^a-[\da-f]{6} \(a-b\)\.json$/);
  expect(one).not.toBe(other);
});

test("tells from the name of a cassette which project it belongs to", () => {
  for (const project of ["", "node", "a/b (c)", "☔"]) {
    const own = namesOf(["a", "a", "☀ (x)"], project);
    expect(own.map((name) => isTapeOf(name, project))).toEqual([true, true, true]);
    expect(own.map((name) => isTapeOf(name, "other"))).toEqual([false, false, false]);
  }
});

test("a name fits into any file system, whatever it is written in", () => {
  for (const sign of ["x", "é", "東", "𐍈", "/"]) {
    const [name = ""] = namesOf([sign.repeat(300)], sign.repeat(300));
    expect(Buffer.byteLength(name)).toBeLessThan(230);
    expect(name).not.toMatch(/\p{Cs}/u);
  }
});
