import { join } from "node:path";
import { expect, test } from "vitest";
import {
  describeUnasked,
  type FinishedFile,
  unaskedCassettes,
} from "../../../src/fronts/node/unasked-cassettes.ts";
import { tapeFolder } from "../../../src/fronts/node/tape-place.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const tape = { cassettes: [] };

interface Given {
  readonly files: readonly string[];
  /** Test file. Default: `a.test.ts`. */
  readonly of?: string;
  readonly folder?: string;
  readonly tests?: readonly (readonly [tape: string, hasPassed: boolean])[];
  readonly project?: string;
  /** Cassettes that were asked for. */
  readonly asked?: readonly string[];
}

/** The unasked cassettes of a project with these files, relative to it. Files in `.json` are cassettes. */
async function unasked({
  files,
  of = "a.test.ts",
  tests = [],
  asked = [],
  project = "",
  ...place
}: Given): Promise<readonly string[]> {
  const texts = files.map((file) => [file, file.endsWith(".json") ? tape : ""]);
  const { path: root } = await temporaryFolder(Object.fromEntries([...texts, [of, ""]]));
  const file: FinishedFile = {
    path: join(root, of),
    project,
    tests: tests.map(([name, hasPassed]) => ({ tape: name, hasPassed })),
    tapeFolder: tapeFolder(join(root, of), place),
    asked: new Set(asked.map((path) => join(root, path))),
    root,
  };
  return unaskedCassettes(file).map((path) => path.slice(root.length + 1));
}

const own = "__cassettes__/a.test";

test("reports the cassette of a test that the file no longer has", async () => {
  const files = [`${own}/one.json`, `${own}/old.json`];
  const tests = [["one.json", true]] as const;
  expect(await unasked({ files, tests, asked: [`${own}/one.json`] })).toEqual([`${own}/old.json`]);
});

test("reports the cassette of a test that passed without asking for it", async () => {
  const files = [`${own}/one.json`];
  expect(await unasked({ files, tests: [["one.json", true]] })).toEqual(files);
});

test("reports nothing of a test that was left out or failed", async () => {
  expect(await unasked({ files: [`${own}/one.json`], tests: [["one.json", false]] })).toEqual([]);
});

test("reports the cassettes of its own project, and not those of others", async () => {
  const [plain, node, second] = ["", " (node)", " (node) #2"].map((of) => `${own}/one${of}.json`);
  const files = [plain, node, second, `${own}/one (jsdom).json`].map(String);
  expect(await unasked({ files })).toEqual([plain]);
  expect(await unasked({ files, project: "node" })).toEqual([second, node]);
});

test("reports nothing if another file may have the test", async () => {
  expect(await unasked({ files: [`${own}/old.json`, "a.test.tsx"] })).toEqual([]);
});

test.each(["../tapes", "../../tapes"])(
  "finds another file that shares the folder %s",
  async (folder) => {
    const base = folder === "../tapes" ? "src/tapes" : "tapes";
    const of = "src/x/a.test.ts";
    const files = [`${base}/a.test/old.json`, `${base}/gone.test/a.json`];
    expect(await unasked({ files, of, folder })).toEqual(files);
    const others = ["src/y/a.test.ts", "lib/gone.test.ts", "node_modules/z/b.test.ts"];
    expect(await unasked({ files: [...files, ...others], of, folder })).toEqual([]);
  },
);

test("reports the cassettes of test files that are gone, in the first of those that are left", async () => {
  const gone = ["__cassettes__/0.test/x.json", "__cassettes__/old.test/x.json"];
  const files = [...gone, `${own}/one.json`, "b.test.ts", "__cassettes__/b.test/other.json"];
  const asked = [`${own}/one.json`, "__cassettes__/b.test/other.json"];
  expect(await unasked({ files, asked })).toEqual(gone);
  expect(await unasked({ files: [...files, "a.test.ts"], asked, of: "b.test.ts" })).toEqual([]);
});

test("leaves alone what is not a cassette", async () => {
  const files = [`${own}/notes.md`, `__cassettes__/docs/read.me`, "lib/data/a.json", "lib/code.ts"];
  expect(await unasked({ files })).toEqual([]);
  expect(await unasked({ files, folder: "." })).toEqual([]);
});

test("says which they are and what to do", () => {
  expect(describeUnasked([], "/p")).toBeUndefined();
  expect(describeUnasked(["/p/a/b.json"], "/p")).toBe(
    "No test asks any more for 1 cassette:\n  a/b.json\nDelete it, or give the test its former name.",
  );
});
