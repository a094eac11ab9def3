import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, inject, test, vi } from "vitest";

const started: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A package of its own, which no server has run from. */
function freshPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), "backlot-start-cache-"));
  folders.push(folder);
  cpSync(join(inject("installed"), "node_modules/backlot"), folder, { recursive: true });
  for (const name of cachesOf(folder)) rmSync(join(folder, "dist/command", name));
  return folder;
}

/** Those that are whole: one that is being written has the id of its process at its end. */
function cachesOf(folder: string): readonly string[] {
  return readdirSync(join(folder, "dist/command")).filter((name) => name.endsWith(".cache"));
}

function command(folder: string): string {
  return join(folder, "dist/command/backlot.js");
}

/** Starts a server. Resolves when it is ready. */
async function start(folder: string): Promise<void> {
  const args = [command(folder), "start", "--port", "0", "--log", "json"];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const [line] = await once(child.stdout, "data");
  expect(JSON.parse(String(line))).toMatchObject({ event: "ready" });
}

test("a server leaves what was compiled, for this version of Node", async () => {
  const folder = freshPackage();
  await start(folder);
  await vi.waitFor(() => expect(cachesOf(folder)).toHaveLength(1), { timeout: 20_000 });
  const [cache = ""] = cachesOf(folder);
  expect(cache).toContain(`-${process.version}-${process.arch}.cache`);
});

test("a broken cache is replaced", async () => {
  const folder = freshPackage();
  await start(folder);
  await vi.waitFor(() => expect(cachesOf(folder)).toHaveLength(1), { timeout: 20_000 });
  const [cache = ""] = cachesOf(folder);
  const path = join(folder, "dist/command", cache);
  writeFileSync(path, "broken");
  await start(folder);
  await vi.waitFor(() => expect(readFileSync(path).length).toBeGreaterThan(100_000), {
    timeout: 20_000,
  });
});
