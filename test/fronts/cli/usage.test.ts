import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

test("shows help with every option, command and examples", async () => {
  const io = testIo();
  expect(await run(["--help"], io)).toBe(0);
  const options = io.out().match(/^ {2}-.*?--[a-z-]+|^ {2}--[a-z-]+/gm) ?? [];
  expect(options.map((option) => option.replace(/^.*--/, "")).join(" ")).toBe(
    "port host profile tables-profile chat-profile token api-key no-auth no-journal no-cors allow-origin allow-host base-path seed " +
      "clock speed strict latency control-token max-sessions tables export-on-exit record record-tables mode expires-in unused-recordings watch skip-unsupported log version help",
  );
  expect(io.out()).toMatch(
    /^Commands:.*^ {2}check .*^ {2}init .*^Options:.*^Examples:.*^Exit codes:/ms,
  );
  expect(io.err()).toBe("");
});

test.each(["", "check", "init", "generate", "exec", "export", "import", "record", "verify"])(
  "the help of %j fits into any terminal, except for what cannot be broken",
  async (command) => {
    for (const columns of [80, 120]) {
      const io = testIo();
      await run([command, "--help"].filter(Boolean), { ...io, stdout: { ...io.stdout, columns } });
      const long = io
        .out()
        .split("\n")
        .filter((line) => line.length > columns);
      // Examples without a description are pasted as they are.
      expect(long.filter((line) => !/^ {2}backlot .*(?<! {2,}.*)$/.test(line))).toEqual([]);
    }
  },
);

test("shows help of one command without the options of another", async () => {
  const io = testIo();
  expect(await run(["check", "--help"], io)).toBe(0);
  expect(io.out()).toContain("Usage: backlot check [options] [fixtures]");
  expect(io.out()).not.toContain("--port");
});

test("shows the version of the package", async () => {
  const io = testIo();
  expect(await run(["--version"], io)).toBe(0);
  expect(io.out()).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("exits 1 with one line for fixtures that are not there", async () => {
  const folder = await temporaryFolder();
  const io = testIo({ cwd: folder.path });
  expect(await run(["missing.json"], io)).toBe(1);
  expect(io.err()).toMatch(/^error: Cannot read the fixtures "missing.json": [^\n]+\n$/);
});

function failToWrite(): never {
  throw new TypeError("a bug");
}

test("exits 70 with the stack and asks for a report when Backlot itself fails", async () => {
  const folder = await temporaryFolder({ "db.json": {} });
  const io = testIo({ cwd: folder.path });
  const broken = { ...io, stdout: { ...io.stdout, write: failToWrite } };
  expect(await run(["check", "db.json"], broken)).toBe(70);
  expect(io.err()).toMatch(/TypeError: a bug\n {4}at .*report it/s);
});

test("says which fixtures may be meant by a word that is no command", async () => {
  const folder = await temporaryFolder({ "shop/tables/users.json": [], "shopp/notes.txt": "" });
  const io = testIo({ cwd: folder.path });
  expect(await run(["shpop"], io)).toBe(2);
  expect(io.err()).toContain("there are no fixtures of that name\n(Did you mean shop?)");
});

test("says the help of a command by either way", async () => {
  const io = testIo();
  expect(await run(["help", "check"], io)).toBe(0);
  expect(io.out()).toContain("Usage: backlot check");
});
