import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

const headers = { "content-type": "application/json" };

function pairs(n: number): readonly object[] {
  return Array.from({ length: 500 }, (_, id) => ({ id, n }));
}

function put(emulator: Emulator, path: string, body: unknown): Promise<Response> {
  return emulator.fetch(`/__backlot${path}`, {
    method: "PUT",
    headers,
    body: JSON.stringify(body),
  });
}

test("an export is of one moment, whatever is written while it is read", async () => {
  const emulator = await createEmulator({ fixtures: { tables: { pairs: pairs(0) } } });
  const writes = [1, 2, 3, 4].map((n) => put(emulator, "/tables/pairs", pairs(n)));
  const reads = Array.from({ length: 5 }, async () => {
    const response = await emulator.fetch("/__backlot/state");
    await put(emulator, "/tables/pairs", pairs(9));
    return response.text();
  });
  await Promise.all(writes);
  for (const text of await Promise.all(reads)) {
    const { tables } = JSON.parse(text) as {
      readonly tables: { readonly pairs: { readonly rows: readonly { readonly n: number }[] } };
    };
    expect(new Set(tables.pairs.rows.map(({ n }) => n)).size).toBe(1);
  }
});

test.each([
  ["a row that is refused", [{ id: 1 }, { id: 1 }], {}],
  ["a script that is refused", [], { chats: [{ name: "a" }] }],
  ["a fault that is refused", [], { state: { faults: [{ status: 1 }] } }],
])("an import with %s changes nothing", async (_, rows, more) => {
  const others = { columns: { id: "INTEGER" }, primaryKey: "id", rows: [] };
  const emulator = await createEmulator({ fixtures: { tables: { pairs: pairs(0), others } } });
  const state = async (): Promise<string> => (await emulator.fetch("/__backlot/state")).text();
  const before = await state();
  const tables = { pairs: [{ id: 1 }], others: { ...others, rows } };
  const refused = await put(emulator, "/state", { tables, ...more });
  expect(refused.status).toBe(400);
  expect(await state()).toBe(before);
});
