import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = ["--import", "tsx", "scripts/example.ts"];

function run(...words: readonly string[]) {
  return spawnSync(process.execPath, [...script, ...words], { cwd: root, encoding: "utf8" });
}

test("the example says in its help what it takes", () => {
  const { status, stdout } = run("--help");
  expect([status, stdout]).toEqual([0, expect.stringContaining("msw's service worker")]);
});

test.each([
  [["sever"], 'There is no backend "sever".'],
  [["msw", "worker"], '"worker" is one word too many.'],
  [["--no-opne"], "--no-opne"],
])("the example refuses %j", (words, why) => {
  const { status, stderr } = run(...words);
  expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
  expect(stderr).toContain("Use: npm run example [server|msw|worker|start]");
});

test.each([
  [[], /No browser opened here\. Open http:\/\/localhost:\d+\/ in one\./],
  [["--no-open"], /Open http:\/\/localhost:\d+\/ in a browser\./],
])("the example with %j says what to open where there is no browser", async (words, said) => {
  const empty = await temporaryFolder();
  const shop = spawn(process.execPath, [...script, ...words], {
    cwd: root,
    env: { ...process.env, PATH: empty.path },
  });
  let out = "";
  let wrong = "";
  shop.stdout.on("data", (part) => (out += part));
  shop.stderr.on("data", (part) => (wrong += part));
  try {
    await expect.poll(() => out).toMatch(said);
    expect(wrong).not.toContain("ENOENT");
  } finally {
    shop.kill();
  }
});
