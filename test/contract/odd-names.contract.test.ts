import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { ask } from "../support/requests.ts";

/** Names of properties that every object of JavaScript has. */
const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

const plain = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  models: [{ id: "atlas", kind: "chat" }],
} as const;

for (const name of inherited) {
  contract(
    `does not find a table, column, operator or model "${name}" where there is none`,
    async (transport) => {
      await using service = await transport.open(plain);
      const answers = [
        await ask(service, `GET /rest/${name}`),
        await ask(service, `GET /rest/users?${name}=x`),
        await ask(service, `GET /rest/users?name.${name}=x`),
        await ask(service, `GET /rest/users?sort_by=${name}`),
        await ask(service, "POST /rest/users", { body: `{"name":"x","${name}":1}` }),
        await ask(service, "PATCH /rest/users/1", { body: `{"${name}":{"polluted":true}}` }),
        await ask(service, `GET /v1/models/${name}`),
        await ask(service, "POST /v1/chat/completions", {
          json: { model: name, messages: [{ role: "user", content: "Hello" }] },
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 400, 400, 404, 404]);
      expect(await service.inside.rows("users")).toEqual([{ id: 1, name: "Ada" }]);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    },
  );

  contract(`serves a table "${name}" with a column "${name}"`, async (transport) => {
    const tables: unknown = JSON.parse(
      `{"${name}":[{"id":1,"${name}":"a"},{"id":2,"${name}":"b"}]}`,
    );
    await using service = await transport.open({ tables });
    const read = await ask(service, `GET /rest/${name}?${name}.gte=a&sort_by=${name}&order=desc`);
    const written = await ask(service, `PATCH /rest/${name}/1`, { body: `{"${name}":"z"}` });
    expect(read.text).toBe(`{"result":[{"id":2,"${name}":"b"},{"id":1,"${name}":"a"}]}`);
    expect(written.text).toContain(`"data":{"id":1,"${name}":"z"}`);
  });
}

const columns = ["a.b", "a.eq", "sort_by", "limit", "a b", "ä", "%", "+", "&=", 'a"b'];

for (const column of columns) {
  contract(
    `filters, sorts and writes a column named ${JSON.stringify(column)}`,
    async (transport) => {
      const rows = [
        { id: 1, [column]: "x" },
        { id: 2, [column]: "y" },
      ];
      await using service = await transport.open({ tables: { odd: rows } });
      const name = encodeURIComponent(column);
      const read = await ask(
        service,
        `GET /rest/odd?${name}.in=x,y&sort_by=${name}&order=desc&limit=1`,
      );
      const written = await ask(service, "PATCH /rest/odd/1", { json: { [column]: "z" } });
      expect(read.body).toEqual({ result: [rows[1]] });
      expect(written.body).toMatchObject({ result: { data: { id: 1, [column]: "z" } } });
    },
  );
}

const tableNames = ["a/b", "a b", "ä", "100%", "tables", "..."];

for (const name of tableNames) {
  contract(
    `serves a table named ${JSON.stringify(name)} by its percent-encoded name`,
    async (transport) => {
      await using service = await transport.open({ tables: { [name]: [{ id: 1 }] } });
      const { status, body } = await ask(service, `GET /rest/${encodeURIComponent(name)}/1`);
      expect({ status, body }).toEqual({ status: 200, body: { result: [{ id: 1 }] } });
    },
  );
}

contract("decodes names that are encoded without need", async (transport) => {
  await using service = await transport.open(plain);
  const { status, body } = await ask(service, "GET /rest/%75sers/%31?n%61me=%41da");
  expect({ status, body }).toEqual({ status: 200, body: { result: [{ id: 1, name: "Ada" }] } });
});

/** Paths as a browser's URL parser takes them, and where they lead. */
const paths = [
  ["/rest//users///1//", 200],
  ["/rest/./users/../users/1", 200],
  ["/rest/%2e/users/%2E%2e/users/1", 200],
  ["/v1/../rest/users/1", 200],
  ["/rest\\users\\1", 200],
  ["/REST/users", 404],
  ["/restaurant", 404],
  ["/rest%2Fusers", 404],
  ["/", 200],
  ["/favicon.ico", 404],
] as const;

for (const [path, status] of paths) {
  contract(`answers GET ${path} with ${status}`, async (transport) => {
    await using service = await transport.open(plain);
    expect((await ask(service, `GET ${path}`)).status).toBe(status);
  });
}
