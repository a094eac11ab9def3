import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { table } from "../../support/tables.ts";
import { ask } from "./ask.ts";

const posts = table("posts", ["id INTEGER", "title TEXT", "views INTEGER"], {
  primaryKey: ["id"],
  rows: [{ id: 1, title: "Kettle", views: 100 }],
});

test.each([
  ["_sort", 'Did you mean "sort_by"?'],
  ["_order", 'Did you mean "order"?'],
  ["_limit", 'Did you mean "limit"?'],
  ["_start", 'Did you mean "offset"?'],
  ["_end", 'Did you mean "limit"?'],
  ["_page", 'Did you mean "limit" and "offset"?'],
  ["_per_page", 'Did you mean "limit"?'],
  ["_embed", "Send a request of its own for the rows of another table."],
  ["_expand", "Send a request of its own for the rows of another table."],
  ["q", 'Search one column with "<column>.like".'],
  ["views_gt", 'Did you mean "views.gt"?'],
  ["views_gte", 'Did you mean "views.gte"?'],
  ["views_lt", 'Did you mean "views.lt"?'],
  ["views_lte", 'Did you mean "views.lte"?'],
  ["id_ne", 'Did you mean "id.ne"?'],
  ["title_like", 'Did you mean "title.like"?'],
  ["viws", 'Did you mean "views"?'],
])("tells what json-server's %s is here", async (name, meant) => {
  const { status, body } = await ask(Database.load([posts]), `GET /posts?${name}=1`);
  expect([status, body]).toMatchObject([
    400,
    { error: `There is no column "${name}". ${meant}`, code: "unknown_column" },
  ]);
});

test("proposes no operator of a column that is not there", async () => {
  const { body } = await ask(Database.load([posts]), "GET /posts?colour_gte=1");
  expect(body).toMatchObject({ error: 'There is no column "colour_gte".' });
});

test("takes a column of such a name for what it is", async () => {
  const named = table("posts", ["q TEXT", "q_like TEXT"], { rows: [{ q: "a", q_like: "b" }] });
  const { status } = await ask(Database.load([named]), "GET /posts?q=a&q_like=b");
  expect(status).toBe(200);
});
