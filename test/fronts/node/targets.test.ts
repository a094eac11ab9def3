import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { serve } from "../../support/served.ts";

const fixtures = {
  tables: {
    users: [
      { id: 1, name: "Ada" },
      { id: 2, name: "it's *" },
    ],
  },
};

/** Request targets as they may stand in a request line. */
const targets: readonly string[] = [
  "/rest/users",
  "/rest/users/1",
  "/v1/rest/users?id=1",
  "/rest//users//1",
  "//rest/users",
  "/rest/./users",
  "/rest/x/../users/1",
  "/../../rest/users",
  "/rest/users/..",
  "/rest/users/.5/../1",
  "/rest/users/.5/./../../users/2",
  "/rest/users/.5/..",
  "/rest/users/.x?id=/../1",
  "/rest/.x/../users#/../x",
  "/rest/%2e%2e/rest/users",
  "/rest/%2E/users",
  "/rest/.%2e/rest/users/1",
  "/rest/users?name=it's%20*",
  "/rest/users?name.like=*'%25",
  "/rest/users?name.like=it's*",
  '/rest/users?name=[x]{y}|^`"<>',
  "/rest/[users]",
  "/rest/{users}",
  "/rest/us\\ers",
  "/rest/users?id=1#fragment",
  "/rest/users#fragment?id=1",
  "/rest/users?id=1?",
  "/rest/users??id=1",
  "/rest/users?",
  "/rest/users?a=/../b",
  "/rest/users/%zz",
  "/rest/users?name=%zz",
  "/rest/us%65rs",
  "/rest/%00",
  "/rest/users;x=1",
  "/rest/users:1",
  "/@x/rest/users",
  "/",
  "/?",
  "/*",
];

test.each(targets)("answers the target %s as fetch answers the address", async (target) => {
  await using served = await serve(fixtures, { auth: false });
  const emulator = await createEmulator({ fixtures, auth: false });
  using connection = await served.connect();
  connection.send(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  const raw = await connection.closed();
  const expected = await emulator.fetch(`http://localhost${target}`);
  expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${expected.status} `));
  expect(raw.slice(raw.indexOf("\r\n\r\n") + 4)).toBe(await expected.text());
});

test("answers a target in absolute form, as proxies send it", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(
    "GET http://api.example.com/v1/rest/users/1?x=1 HTTP/1.1\r\nhost: localhost\r\n\r\n",
  );
  expect(await connection.until("unknown_column")).toMatch(/^HTTP\/1\.1 400 /);
});

test("answers OPTIONS of the whole server", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send("OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(await connection.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 204 /);
});

test("refuses a tunnel, and goes on", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n");
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 405 /);
  expect((await served.fetch("/rest/users")).status).toBe(200);
});

test("answers an upgrade as the request that it is otherwise", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(
    "GET /rest/users/1 HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n",
  );
  expect(await connection.until("Ada")).toMatch(/^HTTP\/1\.1 200 /);
});

test("does not take a token that is sent twice", async () => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  const token = "authorization: Bearer local-token\r\n";
  connection.send(`GET /rest/users HTTP/1.1\r\nhost: localhost\r\n${token}${token}\r\n`);
  expect(await connection.until("unauthorized")).toMatch(/^HTTP\/1\.1 401 /);
});

test("answers HTTP/1.0, and closes", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send("GET /rest/users/1 HTTP/1.0\r\n\r\n");
  expect(await connection.closed()).toContain('{"result":[{"id":1,"name":"Ada"}]}');
});
