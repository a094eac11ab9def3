import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { ask } from "../support/requests.ts";

const writers = 50;
const fixtures = {
  tables: { counters: { columns: { id: "INTEGER", name: "TEXT", hits: "INTEGER" }, rows: [] } },
};

contract("loses no row of many that are created at once", async (transport) => {
  await using service = await transport.open(fixtures);
  const answers = await Promise.all(
    Array.from({ length: writers }, (_, at) =>
      ask(service, "POST /rest/counters", { json: { name: `w${at}`, hits: at } }),
    ),
  );
  const rows = await service.inside.rows("counters");
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: writers }, (_, at) => at + 1));
  expect(new Set(rows.map(({ name }) => name)).size).toBe(writers);
});

contract("keeps what each of many writers changed in a row of its own", async (transport) => {
  await using service = await transport.open(fixtures);
  for (let at = 0; at < writers; at++) await service.inside.insert("counters", { hits: 0 });
  await Promise.all(
    Array.from({ length: writers }, (_, at) =>
      ask(service, `PATCH /rest/counters/${at + 1}`, { json: { hits: at, name: `w${at}` } }),
    ),
  );
  const rows = await service.inside.rows("counters");
  expect(rows).toEqual(
    Array.from({ length: writers }, (_, at) => ({ id: at + 1, name: `w${at}`, hits: at })),
  );
});
