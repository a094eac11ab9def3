import { chatBody } from "../chat/support.ts";
import { answersOf, both, keysAt, type Shown, type ShownKeys, testEffects } from "./effects.ts";

// Tables

const get = "GET /rest/items";

/** What requests, one after the other, get from a table. */
function table(given: object, without: object = {}, requests: readonly string[] = [get]): Shown {
  const rows = [
    { id: 1, name: "b" },
    { id: 2, name: "B" },
  ];
  return async () =>
    both((items) => answersOf({ tables: { items } }, requests), { rows, ...without }, given);
}

/** The same for a key of the column `name`. */
function column(given: object, requests: readonly string[]): Shown {
  const people = { columns: { name: "TEXT" }, rows: [{ name: "b" }] };
  return async () =>
    both(
      (name) => answersOf({ tables: { people, items: itemsWith(name) } }, requests),
      { type: "TEXT" },
      given,
    );
}

function itemsWith(name: object): object {
  return { columns: { id: "INTEGER", name }, rows: [{ id: 1 }] };
}

const tables: ShownKeys = {
  primaryKey: table({ primaryKey: "name" }, {}, ["GET /rest/items/b"]),
  columns: table({ columns: { id: "INTEGER", name: { type: "TEXT", collate: "NOCASE" } } }, {}, [
    `${get}?name=b`,
  ]),
  rows: table({ rows: [{ id: 3 }] }),
  generate: table({ generate: { count: 1, row: { id: 9 } } }),
  unique: table({ unique: [["name"]] }, {}, ['POST /rest/items {"name":"b"}']),
  foreignKeys: table({ foreignKeys: [{ columns: ["id"], table: "items", to: ["id"] }] }, {}, [
    'PATCH /rest/items/1 {"name":"c"}',
    'POST /rest/items {"id":3}',
    "GET /__backlot/state",
  ]),
  autoIncrement: table({ autoIncrement: true }, {}, [
    "DELETE /rest/items/2",
    'POST /rest/items {"name":"x"}',
  ]),
  withoutRowId: async () =>
    both(
      (more) => {
        const items = { primaryKey: "k", rows: [{ k: "b" }, { k: "a" }], ...more };
        const profiles = { tables: "starbasedb" };
        return answersOf({ profiles, tables: { items } }, [get]);
      },
      {},
      { withoutRowId: true },
    ),
  check: table({ check: "name <> 'x'" }, {}, ['POST /rest/items {"name":"x"}']),
};

const generated = (count: number, row: object): object => ({ generate: { count, row } });

const generate: ShownKeys = {
  count: table(generated(2, { name: "a" }), generated(1, { name: "a" })),
  row: table(generated(1, { name: "b" }), generated(1, { name: "a" })),
};

const columns: ShownKeys = {
  type: column({ type: "INTEGER" }, ['POST /rest/items {"name":"x"}']),
  notNull: column({ notNull: true, default: "x" }, ['POST /rest/items {"name":null}']),
  unique: column({ unique: true }, [
    'POST /rest/items {"name":"x"}',
    'POST /rest/items {"name":"x"}',
  ]),
  default: column({ default: "x" }, [get]),
  references: column({ references: "people.name" }, ['POST /rest/items {"name":"x"}']),
  defaultTime: column({ defaultTime: "date" }, [get]),
  check: column({ check: "name <> 'x'" }, ['POST /rest/items {"name":"x"}']),
  collate: column({ collate: "NOCASE" }, ['POST /rest/items {"name":"x"}', `${get}?name=X`]),
};

// Models

function models(given: object, request = "GET /v1/models"): Shown {
  return async () =>
    both(async (one) => answersOf({ models: [one] }, [request]), { id: "atlas" }, given);
}

const chatOf = (more: object): string =>
  `POST /v1/chat/completions ${JSON.stringify(chatBody(more, "Hello-there-you"))}`;

const modelKeys: ShownKeys = {
  id: models({ id: "other" }),
  variant: models({ variant: "atlas-2024" }, chatOf({})),
  owned_by: models({ owned_by: "me" }),
  created: models({ created: 1 }),
  contextLength: models({ contextLength: 1 }, chatOf({})),
  kind: models({ kind: "embedding" }, chatOf({})),
  reasoning: async () =>
    both(
      async (one) =>
        answersOf({ profiles: { chat: "openai" }, models: [one] }, [chatOf({ max_tokens: 5 })]),
      { id: "atlas" },
      { reasoning: true },
    ),
  dimensions: async () =>
    both(
      async (one) =>
        answersOf({ profiles: { chat: "openai" }, models: [one] }, [
          'POST /v1/embeddings {"model":"words","input":"Hi"}',
        ]),
      { id: "words", kind: "embedding" },
      { dimensions: 3 },
    ),
};

// Embeddings

const embed = 'POST /v1/embeddings {"model":"words","input":["Hi","Ho"]}';

function embedding(given: object, without: object = { text: "Hi", near: "Ho" }): Shown {
  const fixtures = { profiles: { chat: "openai" }, models: [{ id: "words", kind: "embedding" }] };
  return async () =>
    both(async (one) => answersOf({ ...fixtures, embeddings: [one] }, [embed]), without, given);
}

const embeddings: ShownKeys = {
  text: embedding({ text: "Ho" }, { text: "Hi", vector: [1, 0] }),
  vector: embedding({ vector: [0, 1] }, { text: "Hi", vector: [1, 0] }),
  near: embedding({ near: "Nobody" }),
};

const inTable = ["$defs", "table", "properties"];

testEffects([
  ["a table", keysAt(...inTable.slice(0, 2)), tables],
  ["a table's `generate`", keysAt(...inTable, "generate"), generate],
  ["a column", keysAt(...inTable, "columns", "additionalProperties"), columns],
  ["a model", keysAt("$defs", "model"), modelKeys],
  ["an embedding", keysAt("$defs", "embedding"), embeddings],
]);
