import { mkdir, rename, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchFixtures, type WatchOptions } from "../../../src/fronts/node/watch-fixtures.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Watching {
  /** Waits for one more call than there were when it was last waited. */
  readonly change: () => Promise<void>;
  readonly calls: () => number;
  readonly close: () => void;
}

async function watching(
  cwd: string,
  path: string,
  { quietMs = 20, goneQuietMs = 20 }: Pick<WatchOptions, "quietMs" | "goneQuietMs"> = {},
): Promise<Watching> {
  let calls = 0;
  let seen = 0;
  const { close } = await watchFixtures(path, () => calls++, { cwd, quietMs, goneQuietMs });
  onTestFinished(close);
  return {
    change: async () => {
      await vi.waitFor(() => expect(calls).toBeGreaterThan(seen), { timeout: 30_000, interval: 5 });
      seen = calls;
    },
    calls: () => calls,
    close,
  };
}

test("tells of a file that is written", async () => {
  const folder = await temporaryFolder({ "db.json": "{}" });
  const { change } = await watching(folder.path, "db.json");
  await folder.write("db.json", { notes: [] });
  await expect(change()).resolves.toBeUndefined();
});

test("tells of each time that an editor puts a new file in the place of the old", async () => {
  const folder = await temporaryFolder({ "db.json": "{}" });
  const { change } = await watching(folder.path, "db.json");
  for (const text of ["[1]", "[2]", "[3]"]) {
    await folder.replace("db.json", text);
    await expect(change()).resolves.toBeUndefined();
  }
});

test("tells when a file goes and when it comes back", async () => {
  const folder = await temporaryFolder({ "db.json": "{}" });
  const { change } = await watching(folder.path, "db.json");
  await folder.remove("db.json");
  await expect(change()).resolves.toBeUndefined();
  await folder.write("db.json", "{}");
  await expect(change()).resolves.toBeUndefined();
});

test("tells of files in a folder and its subfolders", async () => {
  const folder = await temporaryFolder({ "fixtures/tables/users.json": "[]" });
  const { change } = await watching(folder.path, "fixtures");
  await folder.write("fixtures/models.json", "[]");
  await expect(change()).resolves.toBeUndefined();
  await folder.replace("fixtures/tables/users.json", "[1]");
  await expect(change()).resolves.toBeUndefined();
  await folder.remove("fixtures/tables/users.json");
  await expect(change()).resolves.toBeUndefined();
});

test("tells of files in a subfolder that came later", async () => {
  const folder = await temporaryFolder({ "fixtures/models.json": "[]" });
  const { change } = await watching(folder.path, "fixtures");
  await folder.write("fixtures/chats/a.json", "{}");
  await expect(change()).resolves.toBeUndefined();
  await folder.write("fixtures/chats/b.json", "{}");
  await expect(change()).resolves.toBeUndefined();
});

test("goes on when the whole folder is deleted and made again", async () => {
  const folder = await temporaryFolder({ "work/fixtures/models.json": "[]" });
  const { change } = await watching(folder.path, "work/fixtures");
  await folder.remove("work");
  await expect(change()).resolves.toBeUndefined();
  await folder.write("work/fixtures/models.json", "[1]");
  await expect(change()).resolves.toBeUndefined();
  await folder.write("work/fixtures/models.json", "[2]");
  await expect(change()).resolves.toBeUndefined();
});

test("tells of a place whose folders come later", async () => {
  const folder = await temporaryFolder({});
  const { change } = await watching(folder.path, "a/b/c/fixtures");
  await folder.write("a/b/c/fixtures/models.json", "[1]");
  await expect(change()).resolves.toBeUndefined();
  await folder.write("a/b/c/fixtures/models.json", "[2]");
  await expect(change()).resolves.toBeUndefined();
});

test("misses nothing when the folders are made at the moment in which it begins to watch", async () => {
  for (let round = 0; round < 8; round += 1) {
    const folder = await temporaryFolder({});
    const { change, close } = await watching(folder.path, "a/b/c/fixtures");
    await mkdir(join(folder.path, "a"));
    await pause(16 + round);
    await mkdir(join(folder.path, "a/b"));
    await pause(round % 3);
    await folder.write("a/b/c/fixtures/models.json", "[1]");
    await expect(change()).resolves.toBeUndefined();
    await folder.write("a/b/c/fixtures/models.json", "[2]");
    await expect(change()).resolves.toBeUndefined();
    close();
  }
});

test("goes on when another folder takes the place of the first", async () => {
  const folder = await temporaryFolder({
    "fixtures/tables/a.json": "[1]",
    "other/tables/a.json": "[2]",
  });
  const { change } = await watching(folder.path, "fixtures");
  await rename(join(folder.path, "fixtures"), join(folder.path, "old"));
  await rename(join(folder.path, "other"), join(folder.path, "fixtures"));
  await expect(change()).resolves.toBeUndefined();
  await folder.write("fixtures/tables/a.json", "[3]");
  await expect(change()).resolves.toBeUndefined();
});

test("follows a linked file to where it is written", async () => {
  const folder = await temporaryFolder({ "elsewhere/real.json": "{}" });
  await symlink(join("elsewhere", "real.json"), join(folder.path, "db.json"));
  const { change } = await watching(folder.path, "db.json");
  await folder.write("elsewhere/real.json", "[1]");
  await expect(change()).resolves.toBeUndefined();
});

test("does not tell of what changes nothing", async () => {
  const folder = await temporaryFolder({ "fixtures/tables/a.json": "[1]", "later.json": "1" });
  const { calls } = await watching(folder.path, "fixtures");
  // This one waits longer, so when it tells, the other one has looked.
  const later = await watching(folder.path, "later.json", { quietMs: 300 });
  await utimes(join(folder.path, "fixtures/tables/a.json"), 1, 1);
  await folder.replace("fixtures/tables/a.json", "[1]");
  await mkdir(join(folder.path, "fixtures/chats"));
  await folder.write("later.json", "2");
  await later.change();
  expect(calls()).toBe(0);
});

test("waits for files that went to come back, but not for changes", async () => {
  const files = { "shop/tables/a.json": "[1]", "shop/tables/b.json": "[1]", "later.json": "1" };
  const folder = await temporaryFolder(files);
  const { calls, change } = await watching(folder.path, "shop", { goneQuietMs: 60_000 });
  // This one waits longer, so when it tells, the other one has looked.
  const later = await watching(folder.path, "later.json", { quietMs: 300 });
  await folder.replace("shop/tables/a.json", "[2]");
  await expect(change()).resolves.toBeUndefined();
  await folder.remove("shop/tables/a.json");
  await folder.write("later.json", "2");
  await later.change();
  expect(calls()).toBe(1);
});

test("tells of files that went once they did not come back", async () => {
  const files = { "shop/tables/a.json": "[1]", "shop/tables/b.json": "[1]" };
  const folder = await temporaryFolder(files);
  const { change } = await watching(folder.path, "shop", { goneQuietMs: 100 });
  await folder.remove("shop/tables/a.json");
  await expect(change()).resolves.toBeUndefined();
  await folder.remove("shop/tables/b.json");
  await expect(change()).resolves.toBeUndefined();
});

test("tells nothing any more once it is closed", async () => {
  const folder = await temporaryFolder({ "a.json": "1", "b.json": "1" });
  const closed = await watching(folder.path, "a.json");
  const open = await watching(folder.path, "b.json");
  closed.close();
  await folder.write("a.json", "2");
  await folder.write("b.json", "2");
  await open.change();
  expect(closed.calls()).toBe(0);
});

test("tells of a cassette that is recorded, in a folder that was not there", async () => {
  const folder = await temporaryFolder({ "fixtures/config.json": {} });
  const { change } = await watching(folder.path, "fixtures");
  await mkdir(join(folder.path, "fixtures", "cassettes"));
  await folder.write("fixtures/cassettes/chat-hello.json", { recordings: [] });
  await expect(change()).resolves.toBeUndefined();
});
