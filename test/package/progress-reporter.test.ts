import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runOwnVitest } from "../support/own-vitest.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const reporter = fileURLToPath(new URL("../support/progress-reporter.ts", import.meta.url));

const passing =
  "test('adds', () => expect(1 + 1).toBe(2));\ntest.fails('fails as expected', () => expect(1).toBe(2));";
const failing =
  "test('subtracts', () => { console.log('said by a test'); expect(3 - 1).toBe(1); });";

/** Runs two projects, and gives what the reporter prints. */
async function runTwo(files: Readonly<Record<string, string>>, options: string): Promise<string> {
  const config = `import { ProgressReporter } from ${JSON.stringify(reporter)};
    const project = (name) => ({ test: { name, include: [name + "/*.test.js"], globals: true } });
    export default { test: { reporters: [new ProgressReporter(${options})], projects: [project("one"), project("two")] } };`;
  const { path } = await temporaryFolder({ "vitest.config.ts": config, ...files });
  return (await runOwnVitest(path, [])).out;
}

test("a log says how many files there are and how long they take, and has a line for each project that ends", async () => {
  const files = { "one/a.test.js": passing, "one/b.test.js": passing, "two/a.test.js": passing };
  const out = await runTwo(files, '{ takes: "about a second" }');
  expect(out).toContain(
    "Files of tests: one 2, two 1, 3 in all. The whole suite takes about a second.",
  );
  expect(out).toMatch(/^ ✓ one +4 tests in 2 files, \d+ s$/m);
  expect(out).toMatch(/^ ✓ two +2 tests in 1 file, \d+ s$/m);
  expect(out).toMatch(/Tests +3 passed \| 3 expected fail/);
  expect(out).not.toContain("\r");
});

test("a log says how far it is when nothing was said for a while", async () => {
  const files = { "one/a.test.js": passing, "one/b.test.js": passing, "two/a.test.js": passing };
  // Each look at this clock is a minute later.
  const out = await runTwo(files, "{ now: ((time) => () => (time += 60_000))(0) }");
  expect(out).toMatch(/^ {3}\d+ s: .*(?:one 1 of 2 files|two 0 of 1 files)/m);
});

test("what fails is printed with its name, its error and what it said, and is counted in its project", async () => {
  const files = {
    "one/a.test.js": failing,
    "one/b.test.js": "throw new Error('cannot be loaded')",
    "two/a.test.js": passing,
  };
  const out = await runTwo(files, "{}");
  expect(out).toMatch(/FAIL +\|?one\|? +one\/a\.test\.js > subtracts/);
  expect(out).toContain("AssertionError: expected 2 to be 1");
  expect(out).toContain("said by a test");
  expect(out).toContain("Error: cannot be loaded");
  expect(out).toMatch(/^ × one +2 failed, 0 passed in 2 files, \d+ s$/m);
  expect(out).toMatch(/Tests +1 failed \| 1 passed/);
});

test("a terminal has a bar, which is gone before anything else is printed", async () => {
  const files = { "one/a.test.js": failing, "two/a.test.js": passing };
  const out = await runTwo(files, "{ isTTY: true }");
  const pictures = out.split("\r\u001B[K").filter((text) => text.startsWith("["));
  expect(pictures).toContainEqual(
    expect.stringMatching(/^\[={10} {10}\] 1 of 2 files, \d tests.*, \d+ s$/),
  );
  for (const picture of pictures) expect(picture).not.toContain("\n");
  expect(out).toMatch(/Tests +1 failed \| 1 passed/);
});
