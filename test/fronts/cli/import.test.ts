import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const db = { users: [{ id: 1, name: "Ada" }], version: 2 };
const mocks = {
  fixtures: [{ match: { userMessage: "hello" }, response: { content: "Hi" } }],
};

/** Runs a command line in a folder of some files. */
async function imported(files: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const folder = await temporaryFolder(files);
  const io = testIo({ cwd: folder.path });
  const exit = await run(["import", ...args], io);
  return { exit, folder, io, out: io.out(), err: io.err() };
}

test("import writes tables, and says what the file looks like and what it left out", async () => {
  const text = JSON.stringify(db, undefined, 2);
  const { exit, folder, io, out, err } = await imported({ "db.json": text }, "db.json");
  expect(exit).toBe(0);
  expect(out).toBe("imported db.json: 1 file in fixtures\n  tables/users.json\n");
  expect(err).toBe(
    "db.json looks like a database of json-server (--from json-server)\n" +
      "note: db.json:8:3: version: left out: a table has rows, but this is 2\n",
  );
  expect(await run(["check", "fixtures"], io)).toBe(0);
  const written = await readFile(join(folder.path, "fixtures/tables/users.json"), "utf8");
  expect(written).toMatch(/^\{\n {2}"columns"[^]*\}\n$/);
});

test.each([
  ["mocks.json", mocks, "chats/mocks.json"],
  [
    "api.json",
    {
      openapi: "3.0.0",
      paths: {
        "/a": {
          get: {
            responses: { 200: { content: { "application/json": { example: [{ id: 1 }] } } } },
          },
        },
      },
    },
    "tables/a.json",
  ],
  [
    "x.har",
    {
      log: {
        entries: [
          {
            request: { method: "GET", url: "http://x/rest/a" },
            response: { status: 200, content: { text: '{"result":[]}' } },
          },
        ],
      },
    },
    "cassettes/tables-a.json",
  ],
])("import of %s passes check", async (name, content, file) => {
  const { exit, io, out } = await imported({ [name]: content }, name, "--out", "shop");
  expect(exit).toBe(0);
  expect(out).toContain(file);
  expect(await run(["check", "shop"], io)).toBe(0);
});

test("import overwrites nothing unless told to", async () => {
  const files = { "db.json": { users: [{ id: 1 }] }, "fixtures/tables/users.json": [] };
  const { exit, folder, io, err } = await imported(files, "db.json");
  expect(exit).toBe(1);
  expect(err).toContain('error: Cannot write "fixtures/tables/users.json": it already exists.');
  expect(await readFile(join(folder.path, "fixtures/tables/users.json"), "utf8")).toBe("[]");
  expect(await run(["import", "db.json", "--force"], io)).toBe(0);
  expect(await readFile(join(folder.path, "fixtures/tables/users.json"), "utf8")).toContain(
    '"id": 1',
  );
});

test("import writes nothing if it would make the fixtures invalid", async () => {
  const files = {
    "db.json": { users: [{ id: 1 }] },
    "fixtures/config.json": { tables: { users: [] } },
  };
  const { exit, folder, err } = await imported(files, "db.json");
  expect(exit).toBe(1);
  expect(err).toContain("would be invalid with it. Nothing was written.\n");
  expect(err).toContain('The table "users" is already defined');
  expect(await readdir(join(folder.path, "fixtures"))).toEqual(["config.json"]);
});

test.each([
  ["none.json", "", "there is no such file. Paths start from this folder"],
  ["a.yaml", "openapi: 3.0.0", "nothing in it can be used: it has no paths."],
  [
    "a.yaml",
    "a: 1",
    'its format is unknown: not all of its values are lists of objects: "a" is 1. Name',
  ],
  ["a.yaml", "openapi: 3.0.0\npaths: [", "a.yaml:2:9: "],
  ["a.json", "openapi: 3", "a.json:1:1: "],
  ["a.json", "[1]", "its format is unknown: it is a list. Name it: --from har|vcr|nock"],
  ["a.json", '{"version": 1}', "its format is unknown"],
  ["a.json", '{"settings": {"a": 1}, "version": 1}', "its format is unknown"],
  ["a.json", '{"names": ["a", "b"]}', "its format is unknown"],
  ["a.json", '{"swagger": "1.2"}', "only OpenAPI 3 and Swagger 2 can be read"],
  ["a.json", '{"log": {"entries": []}}', "nothing in it can be used: it has no entries."],
  ["a.json", '{"log": {"entries": [{}]}}', "it has 1 entry, and none that is a whole answer of"],
  [
    "a.json",
    '{"openapi": "3.1.0", "paths": {"/a": {}}}',
    "it has 1 path, and none that lists objects",
  ],
  ["a.har", '{"log": {}}', 'an HTTP archive has its requests in "log.entries", but this has no'],
  ["a.json", '{"log": {"creator": {}}}', 'in "log.entries", but this has no such list'],
  ["a.json", '{"tables": {"a": []}}', "it is a fixture file and needs no import. Serve it:"],
  ["a.json", '{"chats": [{"reply": {}}]}', "needs no import. Serve it: backlot start a.json."],
  ["a.json", '{"models": [{"id": "m", "kind": "chat"}]}', "needs no import. Serve it"],
  ["a.json", '{"columns": {}, "rows": []}', 'needs no import. Put it into the folder "tables"'],
  ["a.json", '{"reply": {"content": "Hi"}}', 'needs no import. Put it into the folder "chats"'],
  [
    "a.mjs",
    "export const a = 1;",
    "it is a module, and import runs none. Write what it has as JSON,",
  ],
  ["a.ts", "export const a = 1;", "tables: { users } })"],
])("import refuses %s with %j", async (name, content, says) => {
  const files = name === "none.json" ? {} : { [name]: content };
  const { exit, err } = await imported(files, name);
  expect(exit).toBe(1);
  expect(err).toContain(says);
});

test("import says which kinds there are", async () => {
  const { exit, err } = await imported({}, "a.json", "--from", "aimok");
  expect(exit).toBe(2);
  expect(err).toContain('Did you mean "aimock"?');
});

test("import says which file may be meant", async () => {
  const { exit, err } = await imported({ "requests.har": "{}" }, "request.har");
  expect(exit).toBe(1);
  expect(err).toContain('there is no such file. Did you mean "requests.har"?');
});

test.each([
  [{ models: [{ id: 1, name: "Golf" }] }, []],
  [{ chats: [{ id: 1, text: "Hi" }] }, []],
  [{ tables: [{ id: 1, seats: 4 }] }, []],
  [{ tables: { users: [{ id: 1 }] } }, ["--from", "json-server"]],
])("import takes %j for tables", async (content, args) => {
  const { exit, out } = await imported({ "db.json": content }, "db.json", ...args);
  expect(exit).toBe(0);
  expect(out).toContain(`tables/${Object.keys(content)[0]}.json`);
});

const schemaOf2020 = "https://json-schema.org/draft/2020-12/schema";

test.each<[string, object, string]>([
  [
    "package.json",
    { name: "app", version: "1.0.0", scripts: { test: "x" } },
    "a package.json of npm",
  ],
  ["copy.json", { name: "app", version: "1.0.0", dependencies: {} }, "a package.json of npm"],
  ["package.json", { contributors: [{ name: "Ada" }] }, "a package.json of npm"],
  ["package-lock.json", { lockfileVersion: 3, packages: {} }, "a lockfile of npm"],
  ["composer.json", { name: "a/b", require: { php: ">=8" } }, "a composer.json of PHP"],
  ["tsconfig.json", { extends: "./base.json", files: [] }, "a configuration of TypeScript"],
  ["base.json", { compilerOptions: { strict: true } }, "a configuration of TypeScript"],
  ["user.schema.json", { $schema: schemaOf2020, type: "object" }, "a JSON Schema"],
  ["user.json", { type: "object", properties: { id: {} }, required: ["id"] }, "a JSON Schema"],
  ["a.json", { _type: "export", resources: [{}] }, "an export of Insomnia"],
  ["a.json", { asyncapi: "3.0.0", channels: {} }, "an AsyncAPI document"],
  ["a.json", { data: { __schema: { types: [{}] } } }, "a schema of GraphQL"],
  ["a.json", { type: "FeatureCollection", features: [{}] }, "GeoJSON"],
  ["de.json", { home: { title: "Start" }, back: "Zurück" }, "a file of translations"],
  ["locales/en/common.json", { home: { title: "Home" } }, "a file of translations"],
])("import says that %s with %j is something else", async (name, value, what) => {
  const { exit, folder, err } = await imported({ [name]: value }, name);
  expect(exit).toBe(1);
  expect(err).toContain(`Cannot import "${name}": it is ${what}.`);
  expect(err).toContain("Import reads an HTTP archive, ");
  expect(await readdir(folder.path)).not.toContain("fixtures");
});

test.each<[string, object]>([
  ["db.json", { posts: [{ id: 1 }], version: 2 }],
  ["db.json", { profile: { name: "typicode" } }],
  ["db.json", { posts: [], users: [{ id: 1 }] }],
  ["data.json", { routes: [{ id: 1 }], mappings: [{ id: 2 }] }],
])("import takes %s with %j for a database of json-server", async (name, value) => {
  const { exit, err } = await imported({ [name]: value }, name);
  expect([exit, err]).toEqual([0, expect.stringContaining("a database of json-server")]);
});

test("import reads what looks like something else where its kind is named", async () => {
  const packages = { name: "app", version: "1.0.0", dependencies: { left: "1" } };
  const { exit } = await imported(
    { "package.json": packages },
    "package.json",
    "--from",
    "json-server",
  );
  expect(exit).toBe(0);
});

/** A document in which a column of a table is described as the text says. */
const documentWith = (property: string) =>
  `{"openapi": "3.0.0", "paths": {"/things": {"get": {"responses": {"200": {"content": {"application/json": {"schema":
  {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}, "odd": ${property}}}}}}}}}}}}`;

test.each([
  ["things.json", documentWith('{"type": "integer", "maximum": 9223372036854775807}')],
  ["things.json", documentWith('{"type": "integer", "default": 18014398509481983}')],
  ["things.json", documentWith('{"type": "number", "maximum": 1e400}')],
  ["things.json", documentWith('{"type": "string", "type": "integer"}')],
  ["things.yaml", documentWith('{"type": "integer", "enum": [18014398509481983, .inf]}')],
  ["things.json", documentWith(`${'{"properties": {"a": '.repeat(300)}{}${"}}".repeat(300)}`)],
])("import of an OpenAPI document in %s with an odd column passes check", async (name, text) => {
  const { exit, io, out } = await imported({ [name]: text }, name);
  expect([exit, out]).toEqual([0, expect.stringContaining("tables/things.json")]);
  expect(await run(["check", "fixtures"], io)).toBe(0);
});

test("import reads YAML in which one part is named very often", async () => {
  const lines = Array.from({ length: 12 }, (_, level) => {
    const part = level === 0 ? "{ type: string }" : `[${"*p" + (level - 1) + ", "}*p${level - 1}]`;
    return `  p${level}: &p${level} { type: object, allOf: ${level === 0 ? "[]" : part} }`;
  });
  const properties = Array.from({ length: 150 }, (_, index) => `{ c${index}: *p0 }`);
  const yaml = `openapi: 3.1.0
x-parts:
${lines.join("\n")}
paths:
  /things:
    get:
      responses:
        "200":
          content:
            application/json:
              schema:
                type: array
                items:
                  allOf: [*p11, ${properties.map((one) => `{ properties: ${one} }`).join(", ")}]
`;
  const { exit, out } = await imported({ "api.yaml": yaml }, "api.yaml");
  expect([exit, out]).toEqual([0, expect.stringContaining("tables/things.json")]);
});

/** A path of YAML that lists what a reference describes. */
const list = (ref: string) => `
    get:
      responses:
        "200":
          content:
            application/json:
              schema: { type: array, items: { $ref: "${ref}" } }`;

test("import follows references into files of the document's folder, and says which are missing", async () => {
  const files = {
    "api/openapi.yaml": `openapi: 3.0.0\npaths:\n  /pets:${list("../models/pet.json")}\n  /cats:${list("cat.yaml")}\n  /dogs:${list("../../dog.yaml")}\n`,
    "models/pet.json": { type: "object", properties: { id: { type: "integer" } } },
  };
  const { exit, out, err } = await imported(files, "api/openapi.yaml");
  expect([exit, out]).toEqual([
    0,
    expect.stringContaining("1 file in fixtures\n  tables/pets.json"),
  ]);
  expect(err).toContain('left out: "cat.yaml" cannot be read: there is no such file');
  expect(err).toContain('"../../dog.yaml" cannot be read: it is outside of the document');
});

test("import says many notes of one kind on one line", async () => {
  const notes = Array.from({ length: 40 }, (_, index) => [`name${index}`, index] as const);
  const { err } = await imported(
    { "db.json": { users: [{ id: 1 }], ...Object.fromEntries(notes) } },
    "db.json",
    "--from",
    "json-server",
  );
  expect(err.split("\n").filter((line) => line.startsWith("note:"))).toEqual([
    expect.stringMatching(
      /^note: db\.json:1:\d+: name0: left out: a table has rows, but this is 0.* \(And 39 more such: name1, name2, name3, name4, name5, …\)$/,
    ),
  ]);
});
