import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runOwnVitest } from "../../support/own-vitest.ts";
import { cases, expected } from "./open-answers/left-answers.ts";

const folder = fileURLToPath(new URL("open-answers", import.meta.url));

interface Run {
  readonly code: unknown;
  readonly out: string;
}

/** Runs Node with one of the programs beside, which nothing keeps running but what it waits for. */
async function run(...args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, ["--import", "tsx", ...args], {
    cwd: folder,
    // Newer Nodes warn of their experimental localStorage, at which msw looks.
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  }
  const [code] = await once(child, "close");
  return { code, out };
}

test.each(["fetch", "msw"])(
  "keeps a program running until its timeout fires, with answers by %s",
  async (way) => {
    const { code, out } = await run("plain.ts", way);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^\[.*\]\n$/) });
    expect(JSON.parse(out)).toEqual(cases.map((one) => [one.name, expected(one)]));
  },
);

test("keeps a test of node:test running until its timeout fires", async () => {
  const { code, out } = await run("--test", "--test-reporter=tap", "node-tests.ts");
  expect(out).toContain(`# pass ${2 * cases.length}`);
  expect(code).toBe(0);
});

test("keeps a test of vitest running until its timeout fires", async () => {
  const { code, out } = await runOwnVitest(folder, []);
  expect(out).toMatch(new RegExp(`Tests +${2 * cases.length} passed`));
  expect(code).toBe(0);
});

test("lets a program end that no longer waits for its answers", async () => {
  const { code, out } = await run("ends.ts");
  expect({ code, out }).toEqual({ code: 0, out: "fetch 200\nmsw 200\nover\n" });
});
