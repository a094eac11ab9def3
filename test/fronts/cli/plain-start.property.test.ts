import fc from "fast-check";
import { expect, test } from "vitest";
import { readPlainStart } from "../../../src/fronts/cli/plain-start.ts";
import { createProgram } from "../../../src/fronts/cli/program.ts";
import { startOptions } from "../../../src/fronts/cli/start-options.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const env = { BACKLOT_SEED: "7", BACKLOT_PROFILE: "observed" };

/** The whole command line, which tells what it would start, and does nothing. */
function commandLine(tell: (options: object) => void): ReturnType<typeof createProgram> {
  return createProgram({
    io: testIo({ env }),
    version: "0.0.0",
    commands: {
      start: (options) => {
        tell(options);
        return Promise.resolve(0);
      },
      check: () => Promise.resolve(0),
      init: () => Promise.resolve(0),
      generate: () => Promise.resolve(0),
      exec: () => Promise.resolve(0),
      export: () => Promise.resolve(0),
      import: () => Promise.resolve(0),
      record: () => Promise.resolve(0),
      verify: () => Promise.resolve(0),
    },
    finished: () => undefined,
  });
}

/** What commander makes of a command line; undefined where it refuses it or runs another command. */
async function byCommander(args: readonly string[]): Promise<object | undefined> {
  let told: object | undefined;
  const program = commandLine((options) => (told = options));
  await program.parseAsync(args, { from: "user" }).catch(() => undefined);
  return told;
}

const words = fc.array(
  fc.constantFrom(
    ...startOptions.flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])]),
    ..."3000 json document 127.0.0.1 2024-01-01 /v1 100-300 x src .".split(" "),
    ..."start check help --port=3 -p3 --help --version -5 -- -".split(" "),
    "",
  ),
  { maxLength: 6 },
);

test("reads a command line as commander does, or leaves it to commander", async () => {
  await fc.assert(
    fc.asyncProperty(words, async (args) => {
      const plain = readPlainStart(args, testIo({ env }));
      if (plain !== undefined) expect(plain).toEqual(await byCommander(args));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [[], {}],
  [
    ["start", "fixtures", "--port", "0", "--log", "json"],
    { fixtures: "fixtures", port: 0, log: "json" },
  ],
  [
    ["./db.json", "-p", "3000", "--watch", "--no-auth"],
    { fixtures: "./db.json", port: 3000, watch: true, auth: false },
  ],
])("reads the plain start %j by itself", (args, expected) => {
  expect(readPlainStart(args, testIo())).toEqual(expected);
});

test.each([
  [["check"]],
  [["--help"]],
  [["--port", "abc"]],
  [["--port"]],
  [["--seed", "-5"]],
  [["--api-key", "a", "b"]],
  [["a.json", "b.json"]],
])("leaves %j to commander", (args) => {
  expect(readPlainStart(args, testIo())).toBeUndefined();
});

test("leaves every command to commander, also where a folder has its name", async () => {
  const names = commandLine(() => undefined).commands.map((command) => command.name());
  const { path: cwd } = await temporaryFolder(
    Object.fromEntries(names.map((name) => [`${name}/db.json`, {}])),
  );
  const taken = names.filter((name) => readPlainStart([name], testIo({ cwd })) !== undefined);
  expect(taken).toEqual(["start"]);
});
