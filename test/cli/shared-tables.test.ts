import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

test.each([
  [["--watch"], "--watch: the tables are those that are in PostgreSQL"],
  [["--max-sessions", "3"], "--max-sessions: there are no sessions where"],
])("refuses --tables with %j before it asks a database", async (args, message) => {
  const { path: cwd } = await temporaryFolder();
  const io = testIo({ cwd });
  const url = "postgres://user:s3cr3t@127.0.0.1:1/app";
  expect(await run(["start", "--tables", url, ...args], io)).toBe(1);
  expect(io.err()).toContain(`Cannot start with --tables and ${message}`);
  expect(io.err()).not.toContain("s3cr3t");
});
