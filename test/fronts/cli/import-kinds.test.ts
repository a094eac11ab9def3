import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { madeImports } from "../../support/imports/made-imports.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

/** The made file of a name, imported in a folder of its own. */
async function imported(name: string) {
  const made = madeImports.find((one) => one.name === name);
  const folder = await temporaryFolder(made?.files ?? {});
  const io = testIo({ cwd: folder.path });
  const exit = await run(["import", name], io);
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder.path, "fixtures", file), "utf8"));
  return { exit, io, read, out: io.out(), err: io.err() };
}

test.each(madeImports.map(({ name, has, becomes }) => ({ name, has, becomes })))(
  "import of $name, $has, comes to $becomes",
  async ({ name, becomes }) => {
    const { exit, io, out, err } = await imported(name);
    expect(err).not.toMatch(/^ +at |bug in Backlot/m);
    if (typeof becomes === "string") {
      expect([exit, out, err]).toEqual([1, "", expect.stringContaining(becomes)]);
      return;
    }
    expect([exit, out.split("\n").slice(1, -1)]).toEqual([0, becomes.map((file) => `  ${file}`)]);
    expect(await run(["check", "fixtures"], io)).toBe(0);
  },
);

test.each(
  madeImports
    .filter(({ becomes }) => becomes[0]?.startsWith("cassettes/") === true)
    .map(({ name }) => name),
)("the recording in %s has the answer unpacked and no key", async (name) => {
  const { read } = await imported(name);
  const text = JSON.stringify(await read("cassettes/chat-hello-0571bc.json"));
  expect(JSON.parse(text).recordings[0]).toMatchObject({
    request: { method: "POST", path: "/chat/completions", body: { json: { model: "gpt-4o" } } },
    answer: {
      status: 200,
      body: { json: { choices: [{ message: { content: "Hi there" } }] } },
    },
  });
  expect(text).not.toContain("sk-proj");
  expect(text).not.toContain("content-encoding");
});

test("an aborted answer is left out, and named", async () => {
  const { err, read } = await imported("aborted.har");
  expect(await read("cassettes/chat-hello-0571bc.json")).toMatchObject({ recordings: [{}] });
  expect(err.match(/it was aborted \(net::ERR_ABORTED\)/g)).toHaveLength(2);
});

test("a folder of recordings becomes cassettes together", async () => {
  const { err, read } = await imported("tapes");
  expect(await read("cassettes/chat-hello-0571bc.json")).toMatchObject({ recordings: [{}, {}] });
  expect(err).toContain("note: tapes/package.json: left out: it is a package.json of npm.\n");
});

test("tables of Mockoon have the names of their routes and keys, and the rest is named", async () => {
  const { err, read } = await imported("mockoon.json");
  expect(await read("tables/users.json")).toMatchObject({
    primaryKey: "uid",
    rows: [{ uid: "a" }, { uid: "b" }],
  });
  expect(await read("tables/products.json")).toMatchObject({
    rows: [{ id: 1, name: "Tea" }, { id: 2 }],
  });
  expect(err).toContain('"POST /api/login" was left out: only what GET answers becomes rows');
  expect(err).toContain('"GET /api/many" was left out: it is made by templates');
  expect(err).toContain('left out: a value of "name": it is made by a template');
});

test.each([
  ["wiremock.json", "things", [{ id: 1 }, { id: 2 }]],
  ["stubs", "things", [{ id: 1 }, { id: 2 }]],
  ["stubs", "users", [{ id: 9 }]],
  [
    "postman.json",
    "users",
    [
      { id: 1, name: "Ada" },
      { id: 2, name: "Bob" },
    ],
  ],
])("of %s the table %s has the rows %j", async (name, table, rows) => {
  const { read } = await imported(name);
  expect(await read(`tables/${table}.json`)).toMatchObject({ rows });
});

test("numbers that a number cannot hold are left out of rows, and told", async () => {
  const { err, read } = await imported("large.json");
  expect(await read("tables/users.json")).toMatchObject({ rows: [{ id: 1, m: 2 }] });
  expect(err).toContain("users[0].n: left out: a number cannot hold 18014398509481984 exactly");
  expect(err).toContain("x.a: left out: JSON has no number Infinity");
});
