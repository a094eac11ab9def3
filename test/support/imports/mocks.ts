import { type MadeImport, one } from "./made-import.ts";

const route = (method: string, endpoint: string, ...responses: readonly object[]): object => ({
  type: "http",
  method,
  endpoint,
  responses,
});

const saved = (url: string, body: string, code = 200): object => ({
  name: "saved",
  code,
  originalRequest: { method: "GET", url: { raw: url } },
  body,
});

const mapping = (url: string, response: object, method = "GET"): object => ({
  request: { method, url },
  response,
});

/** Files that other tools answer from. */
export const mocks: readonly MadeImport[] = [
  one(
    "mockoon.json",
    "an environment of Mockoon",
    {
      uuid: "1",
      lastMigration: 32,
      name: "Shop",
      endpointPrefix: "api",
      routes: [
        {
          type: "crud",
          method: "",
          endpoint: "users",
          responses: [{ bodyType: "DATABUCKET", databucketID: "u1", crudKey: "uid" }],
        },
        route("get", "products", { statusCode: 200, body: '[{"id":1,"name":"Tea"}]' }),
        route("get", "products/:id", {
          statusCode: 200,
          body: '{"id":2,"name":"{{faker \'a\'}}"}',
        }),
        route("post", "login", { statusCode: 200, body: "{}" }),
        route("get", "many", { statusCode: 200, body: '[{{#repeat 5}}{"id":1}{{/repeat}}]' }),
      ],
      data: [
        { uuid: "x", id: "u1", name: "People", value: '[{"uid":"a"},{"uid":"b"}]' },
        { uuid: "y", id: "u2", name: "Extras", value: '[{"id":5}]' },
      ],
    },
    ["tables/users.json", "tables/Extras.json", "tables/products.json"],
  ),
  one(
    "wiremock.json",
    "a list of mappings of WireMock",
    {
      mappings: [
        mapping("/things", { jsonBody: [{ id: 1 }] }),
        mapping("/things/2", { body: '{"id":2}' }),
        mapping("/login", { status: 200 }, "POST"),
      ],
    },
    ["tables/things.json"],
  ),
  {
    name: "stubs",
    has: "a folder of mappings of WireMock",
    files: {
      "stubs/mappings/list.json": JSON.stringify(mapping("/things", { jsonBody: [{ id: 1 }] })),
      "stubs/mappings/one.json": JSON.stringify(mapping("/things/2", { jsonBody: { id: 2 } })),
      "stubs/mappings/file.json": JSON.stringify(mapping("/users", { bodyFileName: "users.json" })),
      "stubs/__files/users.json": '[{"id":9}]',
    },
    becomes: ["tables/users.json", "tables/things.json"],
  },
  one(
    "postman.json",
    "a collection of Postman",
    {
      info: { name: "x", schema: "https://schema.getpostman.com/json/collection/v2.1.0/" },
      item: [
        {
          name: "Users",
          item: [
            {
              name: "list",
              request: { method: "GET", url: "{{base}}/users" },
              response: [
                saved("{{base}}/users?page=1", '[{"id":1,"name":"Ada"}]'),
                saved("{{base}}/users", "{}", 500),
              ],
            },
            { name: "create", request: { method: "POST", url: "{{base}}/users" }, response: [] },
          ],
        },
        {
          name: "one",
          request: { method: "GET", url: "https://x.com/users/:id" },
          response: [saved("https://x.com/users/2", '{"id":2,"name":"Bob"}')],
        },
      ],
    },
    ["tables/users.json"],
  ),
];

const items = [{ a: 1 }];

/** Files that are refused by name. */
export const refused: readonly MadeImport[] = [
  one(
    "environment.json",
    "an environment of Postman",
    { name: "dev", values: [], _postman_variable_scope: "environment" },
    "it is an environment of Postman.",
  ),
  one(
    "pact.json",
    "a contract of Pact",
    { consumer: { name: "a" }, provider: { name: "b" }, interactions: [{}] },
    "it is a contract of Pact.",
  ),
  one(
    "bruno.json",
    "a collection of Bruno",
    { version: "1", name: "x", type: "collection" },
    "it is a collection of Bruno.",
  ),
  one(
    "exported.json",
    "an exported collection of Bruno",
    { name: "x", version: "1", items: [{ type: "http", name: "a", seq: 1 }] },
    "it is a collection of Bruno.",
  ),
  one(
    "hoppscotch.json",
    "collections of Hoppscotch",
    [{ v: 2, name: "x", folders: [], requests: [{ v: "1" }] }],
    "it is a collection of Hoppscotch.",
  ),
  one(
    "insomnia.yaml",
    "a collection of Insomnia",
    "type: collection.insomnia.rest/5.0\nname: x\n",
    "it is an export of Insomnia.",
  ),
  one(
    "compose.yaml",
    "a file of Docker Compose",
    "services:\n  web:\n    image: x\n",
    "it is a file of Docker Compose.",
  ),
  one(
    "workflow.yml",
    "a workflow of GitHub",
    "on: push\njobs:\n  test: { runs-on: x }\n",
    "it is a workflow of GitHub.",
  ),
  one(
    "config.json",
    "settings and a list",
    { name: "x", debug: true, port: 3, items },
    '"name" is "x", "debug" is true, "port" is 3, "items" is a list of objects',
  ),
  one("list.json", "a list of objects", [{ id: 1 }], "it is a list of objects. Name the table"),
  one("text.json", "a text", '"a"', 'its format is unknown: it is "a"'),
  one("empty.json", "nothing", {}, "its format is unknown: it is empty"),
  one(
    "by-resource.json",
    "an example for each resource, in a map",
    { resources: { account: { id: "acct_1" }, charge: { id: "ch_1" } } },
    "its format is unknown: not all of its values are lists of objects",
  ),
];

/** Files of tables. */
export const tables: readonly MadeImport[] = [
  one("db.json", "tables of json-server", { users: [{ id: 1 }], cart: {} }, [
    "tables/users.json",
    "tables/cart.json",
  ]),
  one("db.yaml", "tables in YAML", "users:\n  - id: 1\n    name: Ada\n", ["tables/users.json"]),
  one(
    "large.json",
    "numbers beyond 2^53",
    '{"users": [{"id": 1, "n": 18014398509481983, "m": 2}], "x": {"a": 1e400, "b": 1}}',
    ["tables/users.json", "tables/x.json"],
  ),
];
