import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Request as UndiciRequest } from "undici";
import { expect, expectTypeOf, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { connect, type RemoteEmulator, startServer } from "../../../src/fronts/node/index.ts";
import { served, storing } from "./served-remote.ts";

test("reaches the rows of a session, and of no other", async () => {
  const { emulator, remote } = await served();
  const { tables } = remote.session("a/b ü");
  await tables.users.replaceRows([{ id: 7, name: "Grace" }, { name: "Alan" }]);
  expect(await tables.users.rows()).toEqual([
    { id: 7, name: "Grace" },
    { id: 8, name: "Alan" },
  ]);
  expect(emulator.session("a/b ü").tables["users"]?.size).toBe(2);
  expect(await remote.tables.users.rows()).toEqual([{ id: 1, name: "Ada" }]);
});

test("rows have the types that the fixtures tell", async () => {
  const { remote } = await served();
  const [user] = await remote.tables.users.rows();
  expectTypeOf(user).toEqualTypeOf<{ readonly id: number; readonly name: string } | undefined>();
  // @ts-expect-error There is no such table.
  expect(remote.tables.orders.name).toBe("orders");
});

test("sends a request that another library made", async () => {
  const { emulator, remote } = await served();
  const request: unknown = new UndiciRequest("http://x.test/rest/users", {
    method: "POST",
    body: JSON.stringify({ name: "Grace" }),
    headers: { "content-type": "application/json" },
  });
  const response = await remote.session("mine").fetch(request as Request);
  expect(response.status).toBe(201);
  expect(emulator.session("mine").tables["users"]?.get(2)).toEqual({ id: 2, name: "Grace" });
});

test.each<(url: string) => Request | URL | string>([
  () => "/rest/users",
  () => "http://api.example.com/rest/users",
  () => new URL("https://api.example.com/v1/rest/users"),
  (url) => `${url}/rest/users`,
  (url) => `${url}/@mine/rest/users`,
])("sends requests to the session, wherever they were for, %#", async (address) => {
  const { emulator, remote, url } = await served();
  const response = await remote.session("mine").fetch(address(url), storing("Grace"));
  expect(response.status).toBe(201);
  expect(emulator.session("mine").tables["users"]?.get(2)).toEqual({ id: 2, name: "Grace" });
});

test("sends a whole Request to the session", async () => {
  const { emulator, remote } = await served();
  const request = new Request("http://api.example.com/rest/users", storing("Grace"));
  await remote.session("mine").fetch(request);
  const [entry] = emulator.session("mine").journal.list();
  expect(entry).toMatchObject({ method: "POST", status: 201, body: { name: "Grace" } });
});

test("adds, lists and removes scripts", async () => {
  const { remote } = await served();
  const { chats } = remote.session("mine");
  await chats.add({ name: "own/1", when: { user: "mine" }, reply: { content: "Yours." } });
  expect((await chats.list()).map(({ name }) => name)).toEqual(["own/1", "greeting"]);
  await chats.remove("own/1");
  expect((await chats.list()).map(({ name }) => name)).toEqual(["greeting"]);
});

test("lists the journal by filters, and empties it", async () => {
  const { remote } = await served({ clock: 1_700_000_000_000 });
  const { fetch, journal } = remote.session("mine");
  await fetch("/rest/users?id=1");
  await fetch("/rest/users", storing("Grace"));
  expect((await journal.list({ method: "post", since: 1_700_000_000_000 })).length).toBe(1);
  expect((await journal.list({ limit: 1 })).map(({ query }) => query)).toEqual(["id=1"]);
  expect(await journal.list({ since: 1_700_000_000_001 })).toEqual([]);
  await journal.clear();
  expect(await journal.list()).toEqual([]);
});

test("resets a session, and has it forgotten", async () => {
  const { emulator, remote } = await served();
  const session = remote.session("mine");
  await session.tables.users.replaceRows([]);
  await session.reset();
  expect(await session.tables.users.rows()).toHaveLength(1);
  await session.forget();
  expect(emulator.core.sessions.list()).toEqual([]);
  await expect(session.forget()).resolves.toBeUndefined();
});

test("gives the address that a client's base URL begins with", async () => {
  const { remote, url } = await served();
  expect(remote.url).toBe(url);
  expect(remote.session("a/b").url).toBe(`${url}/@a%2Fb`);
});

test.each<[string, string, (remote: RemoteEmulator) => Promise<unknown>]>([
  ["ERR_TABLE_UNKNOWN", 'read the table "usres": ', ({ tables }) => rowsOf(tables, "usres")],
  ["ERR_SCRIPT_REFUSED", "remove the script: ", ({ chats }) => chats.remove("greting")],
])("says with %s what the server refuses: %s", async (code, start, ask) => {
  const { remote } = await served();
  const message = expect.stringMatching(`^Cannot ${start}the server answers: .*Did you mean`);
  await expect(ask(remote)).rejects.toMatchObject({ name: "EmulatorError", code, message });
});

function rowsOf(tables: RemoteEmulator["tables"], name: string): Promise<unknown> {
  return tables[name]?.rows() ?? Promise.reject(new Error("There are all."));
}

test("refuses rows that do not fit", async () => {
  const { remote } = await served();
  const rows = [{ id: 1 }, { id: 1 }];
  await expect(remote.tables.users.replaceRows(rows)).rejects.toMatchObject({
    code: "ERR_ROW_REFUSED",
  });
});

test("shows a control token where one is asked for", async () => {
  const { remote, url } = await served({ controlToken: "secret" });
  await expect(remote.journal.list()).rejects.toThrow(/Cannot read the journal: .*token/);
  const session = connect(url, { controlToken: "secret" }).session("mine");
  expect(await session.journal.list()).toEqual([]);
  await session.forget();
});

test("says that nobody answers", async () => {
  const { url, close } = await startServer(await createEmulator(), { port: 0 });
  await close();
  await expect(connect(url).reset()).rejects.toMatchObject({
    code: "ERR_SERVER_UNREACHABLE",
    message: `Cannot reset the session: nothing answers at ${url} (ECONNREFUSED). Start it with backlot start, or connect to the URL of a running one.`,
  });
});

test("says that what answers is no Backlot", async () => {
  const other = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(connect(`http://127.0.0.1:${port}`).journal.list()).rejects.toMatchObject({
    code: "ERR_SERVER_UNREACHABLE",
    message: `Cannot read the journal: the server at http://127.0.0.1:${port} (200) is not Backlot. Give the URL of its server.`,
  });
});

test.each<[object, string]>([
  [
    { controltoken: "x" },
    'connect: there is no option "controltoken". Did you mean "controlToken"?',
  ],
  [{ controlToken: 5 }, "use the option controlToken: it must be a text."],
])("refuses the options %j", (options, message) => {
  expect(() => connect("http://127.0.0.1:4010", options)).toThrow(`Cannot ${message}`);
});

test.each(["", "127.0.0.1:4010", "localhost:4010", "http://h/x", "http://h/?a", "ftp://h"])(
  "refuses %j, which is no server's URL",
  (url) => {
    expect(() => connect(url)).toThrow(
      /^Cannot connect to ".*": it is not the bare URL of a server/,
    );
  },
);

test("refuses an id that no request could name", () => {
  const { session } = connect("http://127.0.0.1:4010");
  expect(() => session("")).toThrow(/Cannot use the session ""/);
  expect(() => session("..")).toThrow(
    'Cannot ask a server for "..": a URL cannot contain that name.',
  );
});

test.each<[string, (remote: RemoteEmulator, name: string) => Promise<unknown>]>([
  ["..", ({ tables }, name) => rowsOf(tables, name)],
  ["..", ({ faults }, name) => faults.remove(name)],
  ["", ({ snapshots }, name) => snapshots.delete(name)],
  ["\ud800", ({ chats }, name) => chats.remove(name)],
])("refuses the name %j, which no URL can have", async (name, ask) => {
  const { remote } = await served();
  await expect(ask(remote, name)).rejects.toMatchObject({
    code: "ERR_OPTION_INVALID",
    message: expect.stringMatching(/^Cannot ask a server for ".*": a URL cannot contain that name/),
  });
});
