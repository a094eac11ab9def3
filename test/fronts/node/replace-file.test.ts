import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { chmod, lstat, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { cassetteFolder, prepareFolder } from "../../../src/fronts/node/cassette-folder.ts";
import { loadFixtures } from "../../../src/fronts/node/load-fixtures.ts";
import { checkFolder, replaceFile } from "../../../src/fronts/node/replace-file.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

test.each([0o600, 0o640, 0o622, 0o666])("keeps the mode %o of what it replaces", async (mode) => {
  const { path } = await temporaryFolder({ "a.json": "old" });
  const file = join(path, "a.json");
  await chmod(file, mode);
  await replaceFile(file, ["new"], { isPrivate: true });
  expect([await readFile(file, "utf8"), await modeOf(file)]).toEqual(["new", mode]);
});

test("makes a file that nobody else may read where it is private", async () => {
  const { path } = await temporaryFolder({});
  await replaceFile(join(path, "a.json"), ["a"], { isPrivate: true });
  await replaceFile(join(path, "b.json"), ["b"]);
  const usual = 0o666 & ~process.umask();
  expect([await modeOf(join(path, "a.json")), await modeOf(join(path, "b.json"))]).toEqual([
    0o600,
    usual,
  ]);
});

test("replaces a link that somebody planted, and leaves what it leads to", async () => {
  const { path } = await temporaryFolder({ "victim.txt": "precious", "out/x.txt": "" });
  const file = join(path, "out", "a.json");
  await symlink("../victim.txt", file);
  await replaceFile(file, ["new"], { isPrivate: true });
  expect((await lstat(file)).isFile()).toBe(true);
  expect([await readFile(join(path, "victim.txt"), "utf8"), await modeOf(file)]).toEqual([
    "precious",
    0o600,
  ]);
});

test("writes nowhere through links at names that it used to have", async () => {
  const { path } = await temporaryFolder({ "victim.txt": "precious", "out/x.txt": "" });
  const out = join(path, "out");
  for (const name of [`.a.json.${process.pid}.tmp`, `.backlot.${process.pid}.tmp`]) {
    await symlink("../victim.txt", join(out, name));
  }
  await prepareFolder(out);
  await checkFolder(out);
  await replaceFile(join(out, "a.json"), ["new"]);
  expect(await readFile(join(path, "victim.txt"), "utf8")).toBe("precious");
});

test("refuses to write through a link even where somebody guessed the name", async () => {
  const { path } = await temporaryFolder({ "victim.txt": "precious", "out/x.txt": "" });
  const guessed = "00000000-0000-4000-8000-000000000000";
  await symlink("../victim.txt", join(path, "out", `.backlot-${guessed}.tmp`));
  vi.spyOn(crypto, "randomUUID").mockReturnValue(guessed);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const out = join(path, "out");
  await expect(replaceFile(join(out, "a.json"), ["new"])).rejects.toMatchObject({ code: "EEXIST" });
  await expect(checkFolder(out)).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(join(path, "victim.txt"), "utf8")).toBe("precious");
});

test("makes its file under another name each time, and exclusively", async () => {
  const { path } = await temporaryFolder({});
  const seen = new Set<string>();
  const look = async (): Promise<void> => {
    for (const name of await readdir(path)) if (name.endsWith(".tmp")) seen.add(name);
  };
  await replaceFile(join(path, "a.json"), ["1"], { check: look });
  await replaceFile(join(path, "a.json"), ["2"], { check: look });
  expect(seen.size).toBe(2);
  for (const name of seen) expect(name).toMatch(/^\.backlot-[0-9a-f-]{36}\.tmp$/);
  expect(await readdir(path)).toEqual(["a.json"]);
});

function* broken(): Generator<string> {
  yield "half";
  throw new Error("no more");
}

test("leaves the old file, and nothing else, where writing breaks off", async () => {
  const { path } = await temporaryFolder({ "a.json": "old" });
  await expect(replaceFile(join(path, "a.json"), broken())).rejects.toThrow("no more");
  expect(await readdir(path)).toEqual(["a.json"]);
  expect(await readFile(join(path, "a.json"), "utf8")).toBe("old");
});

const cassette = {
  name: "c",
  interface: "chat",
  upstream: "http://127.0.0.1:1/v1",
  recordings: [],
} as const;

test("keeps recordings to their owner, and reads them beside what a crash left", async () => {
  const { path } = await temporaryFolder({
    "cassettes/old.json": { interface: "chat", upstream: "http://127.0.0.1:1", recordings: [] },
    "cassettes/.backlot-1.tmp": '{"recor',
  });
  const folder = join(path, "cassettes");
  await chmod(join(folder, "old.json"), 0o644);
  const cassettes = cassetteFolder(folder, (_, error) => expect.unreachable(String(error)));
  cassettes.put(cassette);
  cassettes.put({ ...cassette, name: "old" });
  expect(await cassettes.finish()).toBe(true);
  expect(await modeOf(join(folder, "c.json"))).toBe(0o600);
  expect(await modeOf(join(folder, "old.json"))).toBe(0o644);
  const set = await loadFixtures(path);
  expect(set.cassettes.map(({ name }) => name).toSorted()).toEqual(["c", "old"]);
});
