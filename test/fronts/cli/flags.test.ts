import { expect, test } from "vitest";
import type { Io } from "../../../src/fronts/cli/io.ts";
import { readCommandLine } from "../../../src/fronts/cli/program.ts";
import { emulatorSettings, type StartFlags } from "../../../src/fronts/cli/flags.ts";
import { serveUntilStopped } from "../../../src/fronts/cli/start/start.ts";
import { testIo } from "./test-io.ts";

/** What `start` is told for some arguments and an environment. */
async function optionsFor(args: readonly string[], env: Io["env"] = {}): Promise<StartFlags> {
  const read = await readCommandLine(args, testIo({ env }));
  if (typeof read === "number" || read.command.run !== serveUntilStopped) {
    throw new Error("The command start does not run.");
  }
  return read.options;
}

test("tells nothing of options that were not given", async () => {
  expect(await optionsFor([])).toEqual({});
  expect(emulatorSettings({})).toEqual({ profiles: {} });
});

test("start need not be named", async () => {
  const expected = { fixtures: "db.json", port: 3000, watch: true };
  expect(await optionsFor(["start", "db.json", "-p", "3000", "--watch"])).toEqual(expected);
  expect(await optionsFor(["db.json", "-p", "3000", "--watch"])).toEqual(expected);
  expect(await optionsFor(["--watch", "-p3000", "db.json"])).toEqual(expected);
});

test("serves a folder that is named like a command when start is named or the path has a slash", async () => {
  expect(await optionsFor(["start", "check"])).toEqual({ fixtures: "check" });
  expect(await optionsFor(["./check"])).toEqual({ fixtures: "./check" });
});

test("reads every option", async () => {
  const args =
    "-H 0.0.0.0 --token t --api-key a b --no-auth --no-cors --base-path / /api --seed -7 " +
    "--clock 2024-01-01T00:00:00Z --speed 0.5 --strict --latency 100-300 --log silent";
  const options = await optionsFor(args.split(" "));
  expect(options).toMatchObject({ host: "0.0.0.0", log: "silent" });
  expect(emulatorSettings(options)).toEqual({
    token: "t",
    apiKeys: ["a", "b"],
    auth: false,
    cors: false,
    basePath: ["/", "/api"],
    seed: -7,
    clock: "2024-01-01T00:00:00Z",
    speed: 0.5,
    strict: true,
    latency: [100, 300],
    profiles: {},
  });
});

test("reads every option from the environment", async () => {
  const env = {
    BACKLOT_PORT: "0",
    AUTHORIZATION_TOKEN: "t",
    BACKLOT_API_KEY: "a, b",
    BACKLOT_NO_AUTH: "1",
    BACKLOT_NO_CORS: "false",
    BACKLOT_BASE_PATH: "/api",
    BACKLOT_LATENCY: "5",
    BACKLOT_STRICT: "no",
    BACKLOT_WATCH: "true",
    BACKLOT_LOG: "json",
  };
  expect(await optionsFor([], env)).toEqual({
    port: 0,
    token: "t",
    apiKeys: ["a", "b"],
    auth: false,
    cors: true,
    basePath: ["/api"],
    latency: 5,
    strict: false,
    watch: true,
    log: "json",
  });
});

test("takes an empty variable for an unset one", async () => {
  expect(await optionsFor([], { BACKLOT_PORT: "", AUTHORIZATION_TOKEN: "" })).toEqual({});
});

test("prefers the command line to the environment, one option at a time", async () => {
  const env = { BACKLOT_PORT: "1", BACKLOT_API_KEY: "a,b", BACKLOT_SEED: "1" };
  expect(await optionsFor(["-p", "2", "--api-key", "c"], env)).toEqual({
    port: 2,
    apiKeys: ["c"],
    seed: 1,
  });
});

test.each([
  [["--profile", "observed"], {}, { tables: "starbasedb", chat: "openai" }],
  [["--profile", "document"], {}, { tables: "document", chat: "document" }],
  [
    ["--profile", "observed", "--chat-profile", "document"],
    {},
    { tables: "starbasedb", chat: "document" },
  ],
  [[], { BACKLOT_PROFILE: "observed" }, { tables: "starbasedb", chat: "openai" }],
  [
    ["--tables-profile", "document"],
    { BACKLOT_PROFILE: "observed" },
    { tables: "document", chat: "openai" },
  ],
  [
    ["--profile", "document"],
    { BACKLOT_TABLES_PROFILE: "starbasedb" },
    { tables: "document", chat: "document" },
  ],
])("profiles of %j with %j", async (args, env, profiles) => {
  expect(emulatorSettings(await optionsFor(args, env)).profiles).toEqual(profiles);
});

test("lets in the origins and the hosts that are given", async () => {
  const args = ["--allow-origin", "https://a.test", "null", "--allow-host", "b.test", "*"];
  const allowed = { cors: { origins: ["https://a.test", "null"] }, hosts: ["b.test", "*"] };
  expect(emulatorSettings(await optionsFor(args))).toMatchObject(allowed);
  const env = { BACKLOT_ALLOW_ORIGIN: "https://a.test, null", BACKLOT_ALLOW_HOST: "b.test,*" };
  expect(emulatorSettings(await optionsFor([], env))).toMatchObject(allowed);
  expect(emulatorSettings(await optionsFor([...args, "--no-cors"])).cors).toBe(false);
});

test.each([
  ["--allow-origin", "a.test"],
  ["--allow-origin", "https://a.test/page"],
  ["--allow-host", "a.test:80"],
  ["--allow-host", "http://a.test"],
])("refuses %s %s, which no browser sends", async (flag, value) => {
  const io = testIo();
  expect(await readCommandLine([flag, value], io)).toBe(2);
  expect(io.err()).toContain("Give ");
});
