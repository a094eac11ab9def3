import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

test.each([
  [["--prot", "3"], "unknown option '--prot'", "(Did you mean --port?)"],
  [["--replay", "http://x"], "unknown option '--replay'", ""],
  [["exce", "--", "true"], "unknown command 'exce'", "(Did you mean exec?)"],
  [["exprot", "a.json"], "unknown command 'exprot'", "(Did you mean export?)"],
  [["genrate", "users", "--rows", "3"], "unknown command 'genrate'", "(Did you mean generate?)"],
  [["help", "nope"], "unknown command 'nope'", ""],
  [["help", "chekc"], "unknown command 'chekc'", "(Did you mean check?)"],
  [["--watch=yes"], "option '--watch' takes no value", ""],
  [["check", "--skip-unsupported=1"], "option '--skip-unsupported' takes no value", ""],
  [["check", "--watch=yes"], "unknown option '--watch'", ""],
  [["chekc"], "unknown command 'chekc'", "(Did you mean check?)"],
  [["check", "--port", "3"], "unknown option '--port'", ""],
  [["a.json", "b.json"], "too many arguments for 'start'", "Expected 1 argument but got 2"],
  [["init", "a", "b"], "too many arguments for 'init'", ""],
  [["--port", "3", "check"], "'check' comes after the options", "backlot check …"],
  [["--port", "abc"], "'abc' is invalid", "from 0 to 65535"],
  [["--port", "70000"], "'70000' is invalid", "from 0 to 65535"],
  [["--port", "-1"], "'-1' is invalid", "from 0 to 65535"],
  [["--port", ""], "'' is invalid", "from 0 to 65535"],
  [["--port"], "'-p, --port <n>' argument missing", ""],
  [["--host", "http://x"], "'http://x' is invalid", "such as 127.0.0.1"],
  [["--profile", "obsverved"], "'obsverved' is invalid", "document, observed"],
  [["--rest-profile", "openai"], "'openai' is invalid", "document, starbasedb"],
  [["--chat-profile", "x"], "'x' is invalid", "document, openai"],
  [["--profile", "obsverved"], "'obsverved' is invalid", 'Did you mean "observed"?'],
  [["--chat-profile", "opnai"], "'opnai' is invalid", 'Did you mean "openai"?'],
  [["--base-path", "v1"], "'v1' is invalid", 'begins with "/"'],
  [["--seed", "1.5"], "'1.5' is invalid", "whole number"],
  [["--clock", "yesterday"], "'yesterday' is invalid", "2024-01-01T00:00:00Z"],
  [["--clock", "2024-13-01"], "'2024-13-01' is invalid", "ISO date"],
  [["--speed", "fast"], "'fast' is invalid", "0 or more"],
  [["--latency", "300-100"], "'300-100' is invalid", "100-300"],
  [["--max-sessions", "0"], "'0' is invalid", "Give a whole number of 1 or more"],
  [["--export-on-exit", "-"], "", "such as state.json"],
  [["--export-on-exit", "folder/"], "'folder/' is invalid", "such as state.json"],
  [["--log", "xml"], "'xml' is invalid", "pretty, json, silent"],
])("%j is wrong usage, and says what is valid", async (args, wrong, valid) => {
  const folder = await temporaryFolder();
  const io = testIo({ cwd: folder.path });
  expect(await run(args, io)).toBe(2);
  expect(io.err()).toContain(wrong);
  expect(io.err()).toContain(valid);
  expect(io.err()).toMatch(/Run backlot (?:init )?--help/);
  expect(io.out()).toBe("");
});

test.each([
  ["BACKLOT_PORT", "abc", "from 0 to 65535"],
  ["BACKLOT_LOG", "xml", "pretty, json, silent"],
  ["BACKLOT_STRICT", "maybe", "1 or 0"],
  ["BACKLOT_MAX_SESSIONS", "0", "of 1 or more"],
])("a wrong %s in the environment is wrong usage", async (name, value, valid) => {
  const io = testIo({ env: { [name]: value } });
  expect(await run(["start"], io)).toBe(2);
  expect(io.err()).toContain(`environment variable ${name} has the value '${value}'`);
  expect(io.err()).toContain(valid);
});

test("shows help with every option, command and examples", async () => {
  const io = testIo();
  expect(await run(["--help"], io)).toBe(0);
  const options = io.out().match(/^ {2}-.*?--[a-z-]+|^ {2}--[a-z-]+/gm) ?? [];
  expect(options.map((option) => option.replace(/^.*--/, "")).join(" ")).toBe(
    "port host profile rest-profile chat-profile token api-key no-auth no-cors allow-origin allow-host base-path seed " +
      "clock speed strict latency control-token max-sessions tables export-on-exit record record-rest watch skip-unsupported log version help",
  );
  expect(io.out()).toMatch(/^ {2}check .*^ {2}init .*^Examples:.*^Exit codes:/ms);
  expect(io.err()).toBe("");
});

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
