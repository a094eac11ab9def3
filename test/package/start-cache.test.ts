import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, inject, test } from "vitest";

const started: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "backlot-start-cache-"));
  folders.push(folder);
  return folder;
}

/** A package of its own, which no server has run from. */
function freshPackage(): string {
  const folder = freshFolder();
  cpSync(join(inject("installed"), "node_modules/backlot"), folder, { recursive: true });
  return folder;
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Starts a server, and ends it as soon as it is ready. */
async function startAndStop(folder: string, cache: string): Promise<void> {
  const command = join(folder, "dist/command/backlot.js");
  const child = spawn(process.execPath, [command, "start", "--port", "0", "--log", "json"], {
    cwd: folder,
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const [line] = await once(child.stdout, "data");
  expect(JSON.parse(String(line))).toMatchObject({ event: "ready" });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
}

test("a start leaves nothing in the folder of the package", async () => {
  const folder = freshPackage();
  const before = filesBelow(folder);
  await startAndStop(folder, freshFolder());
  expect(filesBelow(folder)).toEqual(before);
});

test.each([
  ["overwritten", () => Buffer.from("broken")],
  ["empty", () => Buffer.alloc(0)],
  ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ["zeroed", (bytes: Buffer) => Buffer.alloc(bytes.length)],
  [
    "changed in the middle",
    (bytes: Buffer) => bytes.fill(255, bytes.length >> 2, bytes.length >> 1),
  ],
])(
  "Node's cache of compiled code may be %s, and the command starts all the same",
  async (_, damage) => {
    const [folder, cache] = [freshPackage(), freshFolder()];
    await startAndStop(folder, cache);
    const kept = filesBelow(cache);
    // Node 20 keeps none.
    expect(kept.length > 0).toBe("enableCompileCache" in module);
    for (const file of kept) writeFileSync(file, damage(readFileSync(file)));
    await startAndStop(folder, cache);
  },
);
