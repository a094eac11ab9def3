import { expect } from "vitest";
import { contract, ofTheEmulator } from "../support/contract.ts";
import { contractTables } from "../support/contract-tables.ts";
import { ask } from "../support/requests.ts";

const fixtures = { tables: contractTables };

/** What stands after `/rest/users`, and the ids of the rows that come, in order. */
const reads: readonly (readonly [string, readonly number[]])[] = [
  ["", [1, 2, 3, 4, 5]],
  ["/", [1, 2, 3, 4, 5]],
  ["?name=Ada", [1]],
  ["?name.eq=Ada", [1]],
  ["?name.ne=Ada", [2, 3, 4, 5]],
  ["?age.gt=36", [2]],
  ["?age.gte=36", [1, 2, 5]],
  ["?age.lt=36", [3]],
  ["?age.lte=36", [1, 3, 5]],
  ["?name.like=%25A", [1, 5]],
  ["?name.like=a%25", [1, 5]],
  ["?name.like=_d_", [1, 5]],
  ["?name.like=%C3%A9mile", []],
  ["?name.like=%C3%89MILE", [4]],
  ["?age.like=3_", [1, 5]],
  ["?score.like=10.0", [5]],
  ["?id.in=3,1,9", [1, 3]],
  ["?id.in=3%2C1", [1, 3]],
  ["?name.in=linus,%20Ada", [1, 3]],
  // NULL matches no operator.
  ["?email.ne=nobody", [1, 2, 4, 5]],
  ["?age.lt=1000", [1, 2, 3, 5]],
  ["?age=null", []],
  // Numbers compare as numbers where the column has them, and text is greater than every number.
  ["?score=9.50", [1]],
  ["?score=95e-1", [1]],
  ["?score.gt=abc", []],
  ["?score.lt=abc", [1, 2, 4, 5]],
  ["?age=abc", []],
  // Text compares by its UTF-8 bytes.
  ["?name.gt=a", [3, 4, 5]],
  ["?name=ADA", []],
  ["?name=", []],
  ["?active=true", [1, 3, 4]],
  ["?active=1", [1, 3, 4]],
  ["?active=false", [2, 5]],
  ["?active=0", [2, 5]],
  ["?active.ne=true", [2, 5]],
  ["?active.in=true,0", [1, 2, 3, 4, 5]],
  ["?joined.gte=2020-06-01", [2, 5]],
  ["?extra=5", [1, 2]],
  ["?extra=five", [3]],
  ["?extra.in=5,five", [1, 2, 3]],
  ["?tags=%7B%22level%22:2%7D", [2]],
  ["?tags=%5B%5D", [4]],
  ["?tags.like=%25level%25", [1, 2]],
  ["?age.gte=30&age.lte=40", [1, 5]],
  ["?age=36&name=ada", [5]],
  ["?name=Ada&name=ada", []],
  ["?name=%41d%61", [1]],
  ["?name=Ad%zz", []],
  ["?&name=Ada&", [1]],
  ["?sort_by=name", [1, 2, 5, 3, 4]],
  ["?sort_by=age", [4, 3, 1, 5, 2]],
  ["?sort_by=age&order=ASC", [4, 3, 1, 5, 2]],
  ["?sort_by=age&order=DESC", [2, 1, 5, 3, 4]],
  ["?sort_by=age&order=dEsC", [2, 1, 5, 3, 4]],
  ["?sort_by=score", [3, 4, 2, 1, 5]],
  ["?sort_by=active", [2, 5, 1, 3, 4]],
  ["?sort_by=extra", [4, 1, 5, 2, 3]],
  ["?order=desc", [5, 4, 3, 2, 1]],
  ["?order=asc", [1, 2, 3, 4, 5]],
  ["?limit=2", [1, 2]],
  ["?limit=0", []],
  ["?limit=99999999999999999999", [1, 2, 3, 4, 5]],
  ["?offset=3", [4, 5]],
  ["?offset=0", [1, 2, 3, 4, 5]],
  ["?offset=9", []],
  ["?limit=2&offset=2", [3, 4]],
  ["?order=desc&limit=2&offset=1", [4, 3]],
  ["?age.gte=21&sort_by=age&order=DESC&limit=2&offset=1", [1, 5]],
  ["/2", [2]],
  ["/2/", [2]],
  ["/2.0", [2]],
  ["/99", []],
  ["/abc", []],
  ["/2?name=Grace", [2]],
  ["/2?name=Ada", []],
];

for (const [rest, ids] of reads) {
  contract(
    `answers GET /rest/users${rest} with the rows ${ids.join(", ") || "none"}`,
    async (transport) => {
      await using service = await transport.open(fixtures);
      const { status, body } = await ask(service, `GET /rest/users${rest}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: { result: ids.map((id) => expect.objectContaining({ id })) },
      });
    },
    ofTheEmulator,
  );
}

contract(
  "gives rows whole, in the order of the columns, NULL and JSON values as they are",
  async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, text, headers } = await ask(service, "GET /rest/users?id.lt=4");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(text).toBe(
      '{"result":[' +
        '{"id":1,"name":"Ada","email":"ada@example.com","age":36,"score":9.5,"active":true,' +
        '"joined":"2020-01-01","tags":["math",{"level":3}],"extra":5},' +
        '{"id":2,"name":"Grace","email":"grace@example.com","age":45,"score":7.25,"active":false,' +
        '"joined":"2021-06-15","tags":{"level":2},"extra":"5"},' +
        '{"id":3,"name":"linus","email":null,"age":21,"score":null,"active":true,' +
        '"joined":null,"tags":null,"extra":"five"}]}',
    );
  },
);

contract(
  "orders the rows of a table without a key by their insertion, in both directions",
  async (transport) => {
    await using service = await transport.open({
      tables: {
        logs: { columns: { line: "TEXT" }, rows: [{ line: "b" }, { line: "a" }, { line: "c" }] },
      },
    });
    const plain = await ask(service, "GET /rest/logs");
    const descending = await ask(service, "GET /rest/logs?order=DESC");
    expect(plain.body).toEqual({ result: [{ line: "b" }, { line: "a" }, { line: "c" }] });
    expect(descending.body).toEqual({ result: [{ line: "c" }, { line: "a" }, { line: "b" }] });
  },
);

contract("orders by a composite key when only an order is given", async (transport) => {
  await using service = await transport.open(fixtures);
  const { status, body } = await ask(service, "GET /rest/pairs?order=desc");
  expect(status).toBe(200);
  expect(body).toEqual({
    result: [
      { a: "x,y", b: 2, note: "comma" },
      { a: "x", b: 1, note: "plain" },
      { a: "a/b", b: 3, note: "slash" },
    ],
  });
});

contract(
  "takes more values and longer patterns than the observed service's limits",
  async (transport) => {
    await using service = await transport.open(fixtures);
    const ids = Array.from({ length: 500 }, (_, index) => index + 2).join(",");
    const pattern = `${"%25".repeat(60)}race${"%25".repeat(60)}`;
    const { status, body } = await ask(
      service,
      `GET /rest/users?id.in=${ids}&name.like=${pattern}`,
    );
    expect(status).toBe(200);
    expect(body).toEqual({ result: [expect.objectContaining({ id: 2 })] });
  },
);

contract("matches an empty value by an empty parameter", async (transport) => {
  await using service = await transport.open(fixtures);
  const { status, body } = await ask(service, "GET /rest/places?name=");
  expect({ status, body }).toEqual({
    status: 200,
    body: { result: [{ code: "empty", name: "" }] },
  });
});

for (const { code, name } of contractTables.places.rows) {
  contract(`finds a row by the percent-encoded key of kind "${name}"`, async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, body } = await ask(service, `GET /rest/places/${encodeURIComponent(code)}`);
    expect({ status, body }).toEqual({ status: 200, body: { result: [{ code, name }] } });
  });
}

for (const { a, b, note } of contractTables.pairs.rows) {
  contract(`finds a row by a composite key of kind "${note}"`, async (transport) => {
    await using service = await transport.open(fixtures);
    const { status, body } = await ask(service, `GET /rest/pairs/${encodeURIComponent(a)},${b}`);
    expect({ status, body }).toEqual({ status: 200, body: { result: [{ a, b, note }] } });
  });
}

contract("keeps the order of filter, sort and page over many rows", async (transport) => {
  const rows = Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    rank: (index * 7) % 20,
  }));
  await using service = await transport.open({ tables: { items: rows } });
  const { status, body } = await ask(
    service,
    "GET /rest/items?id.gt=50&rank.gte=5&sort_by=rank&order=DESC&limit=7&offset=10",
  );
  const expected = rows
    .filter(({ id, rank }) => id > 50 && rank >= 5)
    .toSorted((left, right) => right.rank - left.rank || left.id - right.id)
    .slice(10, 17);
  expect({ status, body }).toEqual({ status: 200, body: { result: expected } });
});
