import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { root } from "../../scripts/compat/scratch.ts";
import { codeBlocks } from "../support/markdown-blocks.ts";

const project = inject("project");

const blocks = codeBlocks(readFileSync(join(root, "docs/testing.md"), "utf8"));

/** Runs the block for a runner in a folder of its own, by that runner. Gives what it says. */
async function runBlock(info: string, file: string, command: string): Promise<string> {
  const code = blocks.find((block) => block.info === info)?.code ?? "";
  const folder = join(project, info.replace(" ", "-"));
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, file), code);
  const bin = join(project, "node_modules", ".bin");
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, NO_COLOR: "1", CI: "" };
  const line = `backlot init fixtures && backlot exec fixtures -- ${command}`;
  const { stdout, stderr } = await promisify(execFile)("sh", ["-euc", line], { cwd: folder, env });
  return stdout + stderr;
}

test("the tests for Jest pass under Jest", async () => {
  const jest = join(project, "node_modules/jest/bin/jest.js");
  const options = "--rootDir . --testMatch '**/chat.test.mjs'";
  const command = `node --experimental-vm-modules ${jest} ${options}`;
  expect(await runBlock("js jest", "chat.test.mjs", command)).toMatch(/Tests:\s+1 passed/);
});

test("the tests for Playwright pass under Playwright", async () => {
  const said = await runBlock(
    "ts playwright",
    "users.test.ts",
    "playwright test users --reporter=line",
  );
  expect(said).toMatch(/1 passed/);
});

/** Runs `fakeTime`, in a folder with the steps that every runner runs. */
async function runFakeTime(name: string, code: string, command: string): Promise<string> {
  const folder = join(project, `fake-time-${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  copyFileSync(join(root, "test/support/runners/fake-time.mjs"), join(folder, "fake-time.mjs"));
  writeFileSync(join(folder, "time.test.mjs"), code);
  const { stdout, stderr } = await promisify(execFile)("sh", ["-euc", command], { cwd: folder });
  return stdout + stderr;
}

const steps = `import { createEmulator } from "backlot";
import { ask, comesByItself, comesInTime, fixtures, isToldLive, kinds, until } from "./fake-time.mjs";
const emulator = await createEmulator({ fixtures, auth: false });
`;

test("under Jest's fake timers each kind of answer comes in its time, and none blocks another", async () => {
  const code = `import { afterEach, jest, test } from "@jest/globals";
${steps}
afterEach(() => void jest.useRealTimers());
const advance = (ms) => jest.advanceTimersByTimeAsync(ms);
const ways = { all: {}, "not performance": { doNotFake: ["performance"] }, "not Date": { doNotFake: ["Date"] } };
for (const [way, options] of Object.entries(ways)) {
  test.each(kinds)(\`\${way}: %s\`, async (kind) => {
    jest.useFakeTimers(options);
    await comesInTime(emulator, kind, advance);
  });
  test(\`\${way}: live\`, async () => {
    jest.useFakeTimers(options);
    await isToldLive(emulator);
  });
}
test.each(kinds)("by themselves: %s", async (kind) => {
  jest.useFakeTimers({ advanceTimers: true });
  await comesByItself(emulator, kind);
});
test("left open", async () => {
  for (let round = 0; round < 2; round++) {
    jest.useFakeTimers();
    const left = ask(emulator, "pace");
    await until(() => left.text.includes("one"));
    await comesInTime(emulator, "pace", advance);
    jest.useRealTimers();
    await comesByItself(emulator, "wait");
  }
});
`;
  const jest = join(project, "node_modules/jest/bin/jest.js");
  const options = "--rootDir . --testMatch '**/time.test.mjs' --testTimeout 60000";
  const command = `node --experimental-vm-modules ${jest} ${options}`;
  expect(await runFakeTime("jest", code, command)).toMatch(/Tests:\s+36 passed/);
});

test("under Sinon's fake timers and those of Node each kind of answer comes in its time", async () => {
  const code = `import FakeTimers from "@sinonjs/fake-timers";
import { mock, test } from "node:test";
${steps}
// Without those of Node that its own streams and files need.
const all = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Date", "hrtime", "performance"];
for (const toFake of [all, ["setTimeout", "clearTimeout"], ["setTimeout", "clearTimeout", "Date"]]) {
  for (const kind of kinds) {
    test(\`sinon \${toFake}: \${kind}\`, async () => {
      const clock = FakeTimers.install({ toFake });
      await comesInTime(emulator, kind, (ms) => clock.tickAsync(ms)).finally(() => clock.uninstall());
    });
  }
}
for (const apis of [["setTimeout"], ["setTimeout", "Date"]]) {
  for (const kind of kinds) {
    test(\`node \${apis}: \${kind}\`, async () => {
      mock.timers.enable({ apis });
      await comesInTime(emulator, kind, async (ms) => mock.timers.tick(ms)).finally(() => mock.timers.reset());
    });
  }
}
`;
  expect(await runFakeTime("node", code, "node --test time.test.mjs")).toMatch(/pass 40\n/);
});
