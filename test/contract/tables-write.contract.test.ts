import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { contractTables } from "../support/contract-tables.ts";
import { ask } from "../support/requests.ts";

const fixtures = { tables: contractTables };

/** A row of users as it is stored when only its name was given. */
function bareUser(id: number, name: string): object {
  const rest = { email: null, age: null, score: null, active: true, joined: null };
  return { id, name, ...rest, tags: null, extra: null };
}

contract(
  "creates a row with a generated key and defaults, and gives it back",
  async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, body } = await ask(service, "POST /rest/users", { json: { name: "Zoë" } });
    expect(status).toBe(201);
    expect(body).toEqual({
      result: { message: "Resource created successfully", data: bareUser(6, "Zoë") },
    });
    expect((await ask(service, "GET /rest/users/6")).body).toEqual({
      result: [bareUser(6, "Zoë")],
    });
  },
);

contract("creates a row with a key of its own and goes on after it", async (transport) => {
  await using service = await transport.open(fixtures);
  const given = await ask(service, "POST /rest/users", { json: { id: 50, name: "x" } });
  const next = await ask(service, "POST /rest/users", { json: { id: null, name: "y" } });
  expect(given.body).toMatchObject({ result: { data: { id: 50 } } });
  expect(next.body).toMatchObject({ result: { data: { id: 51 } } });
});

contract("keeps booleans, objects and arrays as JSON", async (transport) => {
  await using service = await transport.open(fixtures);
  const json = {
    name: "x",
    active: false,
    tags: { a: [1, { b: null }], c: "é" },
    extra: [true, { d: 0.5 }],
  };
  const { status, body } = await ask(service, "POST /rest/users", { json });
  expect(status).toBe(201);
  expect(body).toMatchObject({ result: { data: json } });
  expect((await ask(service, "GET /rest/users/6")).body).toMatchObject({ result: [json] });
});

contract("creates the columns of an empty table from its first row", async (transport) => {
  await using service = await transport.open({ tables: { things: [] } });
  const { status, body } = await ask(service, "POST /rest/things", { json: { id: 1, label: "x" } });
  expect(status).toBe(201);
  expect(body).toMatchObject({ result: { data: { id: 1, label: "x" } } });
  expect((await ask(service, "GET /rest/things?lable=x")).status).toBe(400);
});

contract("creates rows in a table without a key", async (transport) => {
  await using service = await transport.open(fixtures);
  const { status } = await ask(service, "POST /rest/logs", { json: { line: "z" } });
  expect(status).toBe(201);
  expect((await service.inside.rows("logs")).at(-1)).toEqual({ line: "z" });
});

contract(
  "replaces the entire row: columns left out become their default, else NULL",
  async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, body } = await ask(service, "PUT /rest/users/2", {
      json: { name: "Grace H." },
    });
    const row = bareUser(2, "Grace H.");
    expect(status).toBe(200);
    expect(body).toEqual({ result: { message: "Resource replaced successfully", data: row } });
    expect((await ask(service, "GET /rest/users/2")).body).toEqual({ result: [row] });
  },
);

contract("replaces a row whose body repeats the key of the path", async (transport) => {
  await using service = await transport.open(fixtures);
  const json = { id: 2, name: "Grace H.", active: false };
  const { status, body } = await ask(service, "PUT /rest/users/2", { json });
  expect(status).toBe(200);
  expect(body).toMatchObject({ result: { data: { ...bareUser(2, "Grace H."), active: false } } });
});

contract("changes only the columns sent, and gives back the whole row", async (transport) => {
  await using service = await transport.open(fixtures);
  const before = (await service.inside.rows("users")).find(({ id }) => id === 2);
  const { status, body } = await ask(service, "PATCH /rest/users/2", {
    json: { id: 2, age: 46, email: null },
  });
  const row = { ...before, age: 46, email: null };
  expect(status).toBe(200);
  expect(body).toEqual({ result: { message: "Resource updated successfully", data: row } });
  expect((await ask(service, "GET /rest/users/2")).body).toEqual({ result: [row] });
});

contract("deletes one row", async (transport) => {
  await using service = await transport.open(fixtures);
  const { status, body } = await ask(service, "DELETE /rest/users/3");
  expect(status).toBe(200);
  expect(body).toEqual({ result: { message: "Resource deleted successfully" } });
  expect((await ask(service, "GET /rest/users/3")).body).toEqual({ result: [] });
  expect(await service.inside.rows("users")).toHaveLength(4);
});

contract("addresses rows by a composite key in every write", async (transport) => {
  await using service = await transport.open(fixtures);
  const patched = await ask(service, "PATCH /rest/pairs/x%2Cy,2", { json: { note: "patched" } });
  const replaced = await ask(service, "PUT /rest/pairs/a%2Fb,3", { json: { a: "a/b", b: 3 } });
  const deleted = await ask(service, "DELETE /rest/pairs/x,1");
  expect([patched.status, replaced.status, deleted.status]).toEqual([200, 200, 200]);
  expect(await service.inside.rows("pairs")).toEqual([
    { a: "x,y", b: 2, note: "patched" },
    { a: "a/b", b: 3, note: null },
  ]);
});

contract("frees a unique value when its row is deleted or changed", async (transport) => {
  await using service = await transport.open(fixtures);
  await ask(service, "DELETE /rest/users/4");
  await ask(service, "PATCH /rest/users/5", { json: { email: null } });
  const first = await ask(service, "POST /rest/users", {
    json: { name: "x", email: "emile@example.com" },
  });
  const second = await ask(service, "PATCH /rest/users/3", { json: { email: "ada5@example.com" } });
  expect([first.status, second.status]).toEqual([201, 200]);
});

contract("deletes a row once nothing refers to it", async (transport) => {
  await using service = await transport.open(fixtures);
  await ask(service, "PATCH /rest/orders/10", { json: { user: null } });
  expect((await ask(service, "DELETE /rest/users/1")).status).toBe(200);
});

contract("takes a body without a content type, and types that end in +json", async (transport) => {
  await using service = await transport.open(fixtures);
  const bytes = new TextEncoder().encode(' {"name":"x"}\n');
  // A content type is only left out where the body is bytes.
  const untyped = await service.fetch("/rest/users", {
    method: "POST",
    headers: { authorization: "Bearer local-token" },
    body: bytes,
  });
  const typed = await ask(service, "POST /rest/users", {
    body: '{"name":"y"}',
    headers: { "content-type": "Application/Vnd.api+JSON; charset=utf-8" },
  });
  expect([untyped.status, typed.status]).toEqual([201, 201]);
});

contract(
  "shows a write to the emulator's own tables at once, and theirs to requests",
  async (transport) => {
    await using service = await transport.open(fixtures);
    await ask(service, "PATCH /rest/users/1", { json: { name: "from a request" } });
    await service.inside.update("users", 2, { name: "from the test" });
    expect((await service.inside.rows("users"))[0]).toMatchObject({ name: "from a request" });
    expect((await ask(service, "GET /rest/users/2")).body).toMatchObject({
      result: [{ name: "from the test" }],
    });
  },
);

contract("writes one row at a time when many requests come at once", async (transport) => {
  await using service = await transport.open(fixtures);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      ask(service, "POST /rest/users", {
        json: { name: `user ${index}`, email: `${index % 20}@x` },
      }),
    ),
  );
  const created = answers.filter(({ status }) => status === 201);
  const ids = new Set((await service.inside.rows("users")).map(({ id }) => id));
  expect(created).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(20);
  expect(ids.size).toBe(25);
});
