import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { NamedCassette } from "../../../src/core/recordings/cassette.ts";
import { addToCassettes, cassetteFolder } from "../../../src/fronts/node/cassette-folder.ts";
import { withFileLock } from "../../../src/fronts/node/file-lock.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A cassette whose recordings are told apart by their paths. */
function cassette(...paths: readonly string[]): NamedCassette {
  const recordings = paths.map((path) => ({
    request: { method: "GET", path: `/${path}` },
    answer: { status: 200, headers: {}, afterMs: 1 },
  }));
  return { name: "a", interface: "chat", upstream: "https://api.example.com", recordings };
}

async function pathsIn(folder: string, file = "a.json"): Promise<readonly string[]> {
  const text = await readFile(join(folder, file), "utf8");
  const { recordings } = JSON.parse(text) as NamedCassette;
  return recordings.map(({ request }) => request.path.slice(1)).toSorted();
}

function folderAt(path: string): ReturnType<typeof cassetteFolder> {
  return cassetteFolder(path, (_, error) => {
    throw error;
  });
}

test("writes a file of an earlier run anew", async () => {
  const { path } = await temporaryFolder({ "a.json": cassette("old") });
  const folder = folderAt(path);
  folder.put(cassette("new"));
  expect([await folder.finish(), await pathsIn(path)]).toEqual([true, ["new"]]);
  expect(await readdir(path)).toEqual(["a.json"]);
});

test("two recorders of one file lose nothing, whoever writes first and last", async () => {
  const { path } = await temporaryFolder({ "a.json": cassette("old") });
  const [one, other] = [folderAt(path), folderAt(path)];
  one.put(cassette("1"));
  await one.finish();
  other.put(cassette("2"));
  other.put(cassette("2", "3"));
  await other.finish();
  one.put(cassette("1", "4"));
  await one.finish();
  expect(await pathsIn(path)).toEqual(["1", "2", "3", "4"]);
});

test("a recorder writes again at its end what a later one started anew", async () => {
  const { path } = await temporaryFolder({});
  const one = folderAt(path);
  one.put(cassette("1"));
  await one.finish();
  const later = folderAt(path);
  later.put(cassette("2"));
  await later.finish();
  await one.finish();
  expect(await pathsIn(path)).toEqual(["1", "2"]);
});

test("adds to a file with comments, and keeps its recordings", async () => {
  const { path } = await temporaryFolder({});
  await writeFile(join(path, "a.jsonc"), `// By hand.\n${JSON.stringify(cassette("1"))}`);
  expect(await addToCassettes(path, [cassette("1", "2")])).toEqual(["a.jsonc"]);
  expect(await pathsIn(path, "a.jsonc")).toEqual(["1", "2"]);
});

test("does not replace a file that is no cassette, and says what is wrong with it", async () => {
  const { path } = await temporaryFolder({ "a.json": "[]" });
  await expect(addToCassettes(path, [cassette("1")])).rejects.toThrow(/cassettes/);
  expect(await readFile(join(path, "a.json"), "utf8")).toBe("[]");
});

test("a file is changed by one at a time", async () => {
  const { path } = await temporaryFolder({});
  const file = join(path, "a.json");
  let inside = 0;
  let count = 0;
  const change = (): Promise<void> =>
    withFileLock(file, async () => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      count += 1;
    });
  await Promise.all(Array.from({ length: 20 }, change));
  expect([count, await readdir(path)]).toEqual([20, []]);
});

test("takes away the lock of a process that has ended, and one that nobody gives back", async () => {
  const { path } = await temporaryFolder({});
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "close");
  const lock = join(path, ".a.json.lock");
  await writeFile(lock, `${child.pid} ${hostname()} x`);
  expect(await withFileLock(join(path, "a.json"), () => Promise.resolve("done"))).toBe("done");

  await writeFile(lock, `${process.pid} ${hostname()} x`);
  await utimes(lock, new Date(0), new Date(0));
  expect(await withFileLock(join(path, "a.json"), () => Promise.resolve("done"))).toBe("done");
  expect(await readdir(path)).toEqual([]);
});

test("does its work again if it lost the lock meanwhile", async () => {
  const { path } = await temporaryFolder({});
  const lock = join(path, ".a.json.lock");
  let times = 0;
  await withFileLock(join(path, "a.json"), async (check) => {
    times += 1;
    if (times === 1) await writeFile(lock, "2147483647 nobody x");
    if (times === 1) await check().finally(() => writeFile(lock, `2147483646 ${hostname()} x`));
    await check();
  });
  expect(times).toBe(2);
});
