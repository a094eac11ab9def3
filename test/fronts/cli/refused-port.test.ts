import { createServer } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { Io } from "../../../src/fronts/cli/io.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { isRefusedPort, refusedPortWarning } from "../../../src/fronts/node/refused-ports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type TestIo, testIo, written } from "./test-io.ts";

const unprivileged = Array.from({ length: 64_000 }, (_, at) => at + 1025).filter(isRefusedPort);

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const [isListening] = await Promise.race([
    once(server, "listening").then(() => [true]),
    once(server, "error").then(() => [false]),
  ]);
  await new Promise((closed) => server.close(closed));
  return isListening === true;
}

async function freePort(): Promise<number> {
  for (const port of unprivileged.toReversed()) if (await isFree(port)) return port;
  throw new Error("None of the ports is free.");
}

async function io(
  port: number,
  { inConfig = false, env = {} } = {},
): Promise<TestIo & { env: Io["env"] }> {
  const config = inConfig ? { port } : {};
  const { path: cwd } = await temporaryFolder({ "db.json": { ...config, tables: {} } });
  return testIo({ cwd, env });
}

test.each([
  ["the flag", (port: number) => [`--port=${port}`], {}],
  ["the environment", () => [], { inEnvironment: true }],
  ["the config", () => [], { inConfig: true }],
] as const)("start warns of a port from %s, behind its banner", async (_, flags, place) => {
  const port = await freePort();
  const env = "inEnvironment" in place ? { BACKLOT_PORT: String(port) } : {};
  const surroundings = await io(port, { ...place, env });
  const exit = run(["start", ...flags(port)], surroundings);
  onTestFinished(() => surroundings.stop());
  await written(surroundings.out, /warning: /);
  expect(surroundings.out()).toContain(`is running at http://127.0.0.1:${port}`);
  expect(surroundings.out()).toMatch(/^Backlot/);
  expect(surroundings.out()).toContain(`warning: ${refusedPortWarning(port)}\n`);
  surroundings.stop();
  expect(await exit).toBe(0);
});

test("the first line of a JSON log is still where the server is", async () => {
  const port = await freePort();
  const surroundings = await io(port);
  onTestFinished(() => surroundings.stop());
  const exit = run(["start", "--port", String(port), "--log", "json"], surroundings);
  await written(surroundings.out, /"event":"warning"/);
  const lines = surroundings.out().trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: "ready" },
    { event: "warning", message: refusedPortWarning(port) },
  ]);
  surroundings.stop();
  await exit;
});

test.each([
  [[], true],
  [["--log", "pretty"], true],
  [["--log", "silent"], false],
])("exec with %j tells on stderr of a port that was asked for: %s", async (flags, isTold) => {
  const port = await freePort();
  const surroundings = await io(port);
  const command = ["--", process.execPath, "-e", "0"];
  expect(await run(["exec", "--port", String(port), ...flags, ...command], surroundings)).toBe(0);
  expect(surroundings.err().includes(String(refusedPortWarning(port)))).toBe(isTold);
  expect(surroundings.out()).toBe("");
});
