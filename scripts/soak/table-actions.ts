import { bodyOf, expect } from "./expect.ts";
import { groupCount, rowCount } from "./fixtures.ts";
import type { Visitor } from "./visitor.ts";

export async function readByKey(visitor: Visitor): Promise<void> {
  const id = 1 + visitor.below(rowCount);
  const answer = await visitor.ask({ method: "GET", path: `/rest/items/${id}` });
  expect(bodyOf(answer, 200).result[0]?.id === id, `the row ${id}`, answer);
}

export async function readPages(visitor: Visitor): Promise<void> {
  const group = visitor.below(groupCount);
  const path = `/v1/rest/items?group=${group}&sort_by=price&order=DESC&limit=20`;
  for (const offset of [0, 20, 40]) {
    const answer = await visitor.ask({ method: "GET", path: `${path}&offset=${offset}` });
    const { result } = bodyOf(answer, 200);
    const prices: readonly number[] = result.map((row) => row.price);
    const isSorted = prices.every((price, at) => at === 0 || price <= (prices[at - 1] ?? 0));
    expect(prices.length === 20 && isSorted, "20 rows in order", answer);
  }
}

export async function search(visitor: Visitor): Promise<void> {
  const number = 1 + visitor.below(rowCount);
  const path = `/rest/items?email.like=item-${number}@%25&price.gte=0&id.in=${number},-1`;
  const answer = await visitor.ask({ method: "GET", path });
  expect(bodyOf(answer, 200).result.length === 1, "one row", answer);
}

export async function insert(visitor: Visitor): Promise<void> {
  const answer = await visitor.ask({
    method: "POST",
    path: "/rest/items",
    body: { name: "new", group: groupCount, price: visitor.below(1000) },
  });
  const { id } = bodyOf(answer, 201).result.data;
  visitor.added.push(id);
  const found = await visitor.ask({
    method: "GET",
    path: `/rest/items?group=${groupCount}&sort_by=id`,
  });
  const ids: readonly number[] = bodyOf(found, 200).result.map((row) => row.id);
  const isSame = ids.join() === visitor.added.toSorted((one, other) => one - other).join();
  expect(isSame, `the rows ${visitor.added.join()} and no other session's`, found);
}

export async function change(visitor: Visitor): Promise<void> {
  const id = 1 + visitor.below(rowCount);
  const price = 1 + visitor.below(999);
  const method = visitor.pick(["PATCH", "PUT"]);
  const path = `/rest/items/${id}`;
  const whole = { name: "changed", email: null, group: (id - 1) % groupCount, tags: null };
  const body = method === "PATCH" ? { price } : { id, ...whole, price };
  bodyOf(await visitor.ask({ method, path, body }), 200);
  const answer = await visitor.ask({ method: "GET", path });
  expect(bodyOf(answer, 200).result[0]?.price === price, `the price ${price}`, answer);
  // Back as it was, so that others find what they look for.
  const email = `item-${id}@example.com`;
  bodyOf(await visitor.ask({ method: "PATCH", path, body: { email } }), 200);
}

export async function remove(visitor: Visitor): Promise<void> {
  const id = visitor.added.pop();
  if (id === undefined) return;
  bodyOf(await visitor.ask({ method: "DELETE", path: `/rest/items/${id}` }), 200);
}

interface Mistake {
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
}

const mistakes: readonly Mistake[] = [
  { status: 401, code: "unauthorized", method: "GET", path: "/rest/items/1", key: "wrong" },
  { status: 404, code: "unknown_table", method: "GET", path: "/rest/itms" },
  { status: 400, code: "unknown_column", method: "GET", path: "/rest/items?nme=1" },
  { status: 409, code: "conflict", method: "POST", path: "/rest/items", body: { id: 1, name: "" } },
  { status: 404, code: "row_not_found", method: "DELETE", path: "/rest/items/0" },
  { status: 400, code: "invalid_body", method: "POST", path: "/rest/items", body: { name: 5 } },
];

/** What is wrong is refused by its code. */
export async function makeMistake(visitor: Visitor): Promise<void> {
  const { status, code, ...ask } = visitor.pick(mistakes);
  const answer = await visitor.ask(ask);
  expect(bodyOf(answer, status).code === code, `the code ${code}`, answer);
}

/** In the base session, where all meet: only what holds whatever the others do. */
export async function meet(visitor: Visitor): Promise<void> {
  const posted = await visitor.askBase({
    method: "POST",
    path: "/rest/notes",
    body: { text: visitor.session },
  });
  bodyOf(posted, 201);
  const answer = await visitor.askBase({ method: "GET", path: "/rest/notes?sort_by=id&limit=5" });
  expect(Array.isArray(bodyOf(answer, 200).result), "rows", answer);
}
