import { expect, test } from "vitest";
import { createEmulator, type EmulatorOptions } from "../../../src/index.ts";
import { commands } from "../../../src/fronts/cli/program.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

// What people type, what they are told, and the exit code.

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
  [["init", "--force"], "option '--force' needs '--worker <folder>'", ""],
  [["--record", "http://x", "--watch"], "'--record' and '--watch' cannot be combined", "reload"],
  [
    ["--tables", "postgres://h/d", "--max-sessions", "3"],
    "'--tables' and '--max-sessions' cannot be combined",
    "no sessions",
  ],
  [["--port", "3", "check"], "'check' comes after the options", "backlot check …"],
  [["--port", "abc"], "'abc' is invalid", "from 0 to 65535"],
  [["--port", "70000"], "'70000' is invalid", "from 0 to 65535"],
  [["--port", "-1"], "'-1' is invalid", "from 0 to 65535"],
  [["--port", ""], "'' is invalid", "from 0 to 65535"],
  [["--port"], "'-p, --port <n>' argument missing", ""],
  [["--host", "http://x"], "'http://x' is invalid", "such as 127.0.0.1"],
  [["--profile", "obsverved"], "'obsverved' is invalid", "document, observed"],
  [["--tables-profile", "openai"], "'openai' is invalid", "document, starbasedb"],
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
])("%j is wrong usage: exit code 2", async (args, wrong, valid) => {
  const folder = await temporaryFolder();
  const io = testIo({ cwd: folder.path });
  expect(await run(args, io)).toBe(2);
  expect(io.err()).toContain(wrong);
  expect(io.err()).toContain(valid);
  const [first = ""] = args;
  const own = commands.has(first) && first !== "start" ? `${first} ` : "";
  expect(io.err()).toContain(`Run backlot ${own}--help for help.`);
  expect(io.out()).toBe("");
});

test.each([
  ["BACKLOT_PORT", "abc", "has the value 'abc'", "from 0 to 65535"],
  ["BACKLOT_LOG", "xml", "has the value 'xml'", "pretty, json, silent"],
  ["BACKLOT_STRICT", "maybe", "has the value 'maybe'", "1 or 0"],
  ["BACKLOT_MAX_SESSIONS", "0", "has the value '0'", "of 1 or more"],
  ["BACKLOT_PROT", "1", "unknown environment variable", "(Did you mean BACKLOT_PORT?)"],
  ["BACKLOT_CONTROL_TOKN", "s3cret", "unknown", "(Did you mean BACKLOT_CONTROL_TOKEN?)"],
  ["BACKLOT_ULR", "http://x", "unknown environment", "(Did you mean BACKLOT_URL?)"],
  ["BACKLOT_XYZZY", "1", "unknown environment variable", "Correct or unset it"],
])("%s=%s in the environment is wrong usage: exit code 2", async (name, value, wrong, valid) => {
  for (const command of ["start", "check", "export"]) {
    // Commands ignore what is only for others, but not what is for none.
    if (wrong.startsWith("has") && command !== "start") continue;
    const io = testIo({ env: { [name]: value } });
    expect(await run([command], io)).toBe(2);
    expect(io.err()).toContain(`environment variable ${wrong.startsWith("has") ? name : ""}`);
    expect(io.err()).toContain(wrong);
    expect(io.err()).toContain(valid);
    expect(io.err()).not.toContain("s3cret");
  }
});

test("an empty variable is none, whatever it is called", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": { a: [] } });
  const io = testIo({ cwd, env: { BACKLOT_PROT: "" } });
  expect(await run(["check"], io)).toBe(0);
});

const reply = { reply: { content: "Hi" } };

test.each<[string, unknown, string]>([
  ["db.json", { tabels: {} }, 'Unknown key "tabels". Did you mean "tables"?'],
  ["db.json", { table: { users: [] } }, 'Unknown key "table". Did you mean "tables"?'],
  ["db.json", { scripts: [reply] }, 'Unknown key "scripts". Did you mean "chats"?'],
  ["db.json", { users: [], chatScripts: [reply] }, '"chatScripts". Did you mean "chats"?'],
  ["db.json", { chat: [reply] }, '"chat" must be an object, but is an array'],
  ["db.json", { modles: [{ id: "a" }] }, 'Unknown key "modles". Did you mean "models"?'],
  ["db.json", { apikeys: ["a"] }, 'Unknown key "apikeys". Did you mean "apiKeys"?'],
  ["db.json", { tables: { a: { row: [] } } }, 'Unknown key "row". Did you mean "rows"?'],
  ["db.json", { chats: [{ ...reply, when: { usr: "x" } }] }, '"usr". Did you mean "user"?'],
  ["db.json", { chats: [{ reply: { contnt: "x" } }] }, 'Did you mean "content"?'],
  ["db.json", { chats: [{ reply: "Hi" }] }, '"reply" must be an object'],
  ["db.json", { chat: { unmached: "error" } }, 'Did you mean "unmatched"?'],
  ["db.json", { chat: { unknownModels: "acept" } }, 'Did you mean "accept"?'],
  ["db.json", { profiles: { chat: "opnai" } }, 'Did you mean "openai"?'],
  ["fixtures/chat/hello.json", reply, 'Unknown folder "chat". Did you mean "chats"?'],
  ["fixtures/model.json", [], 'Unknown file "model.json". Did you mean "models.json"?'],
  ["fixtures/config.json", { scripts: [reply] }, 'Did you mean "chats"?'],
])("%s with %j is a problem of the fixtures: exit code 1", async (file, content, says) => {
  const { path: cwd } = await temporaryFolder({ [file]: content });
  for (const command of ["check", "start"]) {
    const io = testIo({ cwd });
    expect(await run([command], io)).toBe(1);
    expect(io.err()).toContain(says);
    expect(io.out()).toBe("");
  }
});

test.each([
  [
    { fixtures: "fixtures" },
    'found "fixtures". To read files, write fixtures: await loadFixtures(',
  ],
  [{ fixtures: new URL("file:///shop/") }, 'await loadFixtures("file:///shop/")'],
  [{ fixtures: Promise.resolve({}) }, "found a promise. To read files, write fixtures: await"],
  [{ fixtrues: {} }, 'no such option. Did you mean "fixtures"?'],
  [{ apikeys: ["a"] }, 'no such option. Did you mean "apiKeys"?'],
  [{ chatProfile: "openai" }, 'Write profiles: { chat: "openai" }.'],
])("createEmulator(%j) says what to write instead", async (options, says) => {
  // As whoever writes JavaScript may call it.
  await expect(createEmulator(options as EmulatorOptions)).rejects.toThrow(says);
});

// Rows of these names are honest tables.
test.each([
  [{ scripts: [{ id: 1, src: "a.js" }] }, "scripts"],
  [{ scripts: [] }, "scripts"],
  [{ cats: [{ id: 1 }], states: [{ id: 1, name: "Ohio" }], profile: { name: "Ada" } }, "cats"],
  [{ comments: [{ id: 1, reply: { text: "x" }, when: "today" }] }, "comments"],
])("takes %j for tables", async (fixtures, table) => {
  const { tables } = await createEmulator({ fixtures });
  expect(Object.keys(tables)).toContain(table);
});
