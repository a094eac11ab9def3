import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { shellQuote } from "../../../src/fronts/cli/io.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { spawnCommand } from "./backlot-process.ts";

/** Kilobytes, about: no process of these tests can write a larger file, as on a disk that has no more room. */
const room = 8;

const bigText = "x".repeat(100_000);

/** Starts `backlot` where files cannot get large. The unit of `ulimit -f` is 512 bytes or 1,024, by the shell. */
function onFullDisk(args: readonly string[], { path }: TemporaryFolder) {
  const words = [process.execPath, inject("command"), ...args].map(shellQuote).join(" ");
  return spawnCommand("sh", ["-c", `ulimit -f ${room} && exec ${words}`], { cwd: path });
}

/** Every file of a folder with its text, hidden ones included. */
async function contents({ path }: TemporaryFolder): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file, await readFile(file, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

const entry = (question: string, content: string): object => ({
  request: {
    method: "POST",
    url: "https://api.example.com/v1/chat/completions",
    postData: {
      mimeType: "application/json",
      text: JSON.stringify({ model: "m", messages: [{ role: "user", content: question }] }),
    },
  },
  response: {
    status: 200,
    headers: [{ name: "content-type", value: "application/json" }],
    content: {
      mimeType: "application/json",
      text: JSON.stringify({
        choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      }),
    },
  },
});

const rows = (text: string): readonly object[] => [{ id: 1, text }];

test.each([
  ["import of recordings", ["import", "some.har", "--out", "added"]],
  ["import of tables", ["import", "db.json", "--from", "json-server", "--out", "added"]],
  ["generate", ["generate", "notes", "fixtures", "--rows", "2000"]],
  ["export", ["export", "db.json", "--out", "state.json"]],
  ["exec", ["exec", "db.json", "--export-on-exit", "state.json", "--", "true"]],
])("%s leaves every file as it was where there is no room for all", async (_, args) => {
  const folder = await temporaryFolder({
    "some.har": { log: { entries: [entry("short", "a"), entry("long", bigText)] } },
    "db.json": { few: rows("a"), many: rows(bigText) },
    "fixtures/tables/notes.json": rows("first"),
    "state.json": { tables: {} },
  });
  const before = await contents(folder);
  const command = onFullDisk(args, folder);
  expect(await command.exit).toBe(1);
  expect(command.err()).toMatch(/Cannot write ".+": the file is larger than the system allows\./);
  expect(await contents(folder)).toEqual(before);
});

test("a script for which there is no room leaves no file, and the fixtures pass the check", async () => {
  const folder = await temporaryFolder({ "fixtures/chats/one.json": [] });
  const server = onFullDisk(["start", "--watch", "--port", "0", "--log", "json"], folder);
  const [, url = ""] = await server.written(/"url":"([^"]+)"/);
  const post = (name: string, content: string): Promise<Response> =>
    fetch(`${url}/__backlot/fixtures/chats`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, reply: { content } }),
    });
  const refused = await post("large", bigText);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("the file is larger than the system allows");
  expect(await readdir(join(folder.path, "fixtures/chats"))).toEqual(["one.json"]);
  expect((await post("large", "small")).status).toBe(201);
  const check = promisify(execFile);
  await check(process.execPath, [inject("command"), "check"], { cwd: folder.path });
});
