import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { viteSite } from "../../support/vite-site.ts";

const files = {
  "fixtures/config.json": { apiKeys: ["k"], profiles: { chat: "openai" } },
  "fixtures/tables/app.sql":
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\nINSERT INTO notes VALUES (1, 'hi');\n",
  "fixtures/tables/made.json": {
    columns: { id: "INTEGER", name: "TEXT" },
    generate: { count: 3, row: { name: "{{ 'person.firstName' | faker }}" } },
  },
  "fixtures/chats/greeting.json": { when: { user: "hello" }, reply: { content: "Hi." } },
};

test("gives a complete document", async () => {
  const { server } = await viteSite({}, { files });
  const { fixtures } = await server.ssrLoadModule("virtual:backlot");
  expect(fixtures).toMatchObject({
    apiKeys: ["k"],
    profiles: { chat: "openai" },
    chats: [{ name: "greeting" }],
  });
  const { tables } = await createEmulator({ fixtures });
  expect(tables["notes"]?.rows()).toEqual([{ id: 1, text: "hi" }]);
  expect(tables["made"]?.size).toBe(3);
  expect(tables["users"]?.insert({ name: "Grace" })).toMatchObject({ id: 2 });
});

test("has the same exports where the dev server answers or nobody does", async () => {
  for (const mode of ["server", "off"] as const) {
    const { server } = await viteSite({ mode });
    const { start, onUpdate } = await server.ssrLoadModule("virtual:backlot");
    expect(await start()).toBeUndefined();
    expect(onUpdate(() => undefined)).toBeTypeOf("function");
  }
});

test("is made anew when the fixtures are others", async () => {
  const { server, folder, hear } = await viteSite();
  await server.ssrLoadModule("virtual:backlot");
  const messages = await hear();
  await folder.replace("fixtures/tables/users.json", [{ id: 7, name: "Grace" }]);
  await messages.until("backlot:update");
  const { fixtures } = await server.ssrLoadModule("virtual:backlot");
  expect(fixtures.tables.users.rows).toEqual([{ id: 7, name: "Grace" }]);
});

test("keeps a file of types in step with the fixtures", async () => {
  const { folder, hear } = await viteSite({ types: "src/backlot.d.ts" });
  const types = (): Promise<string> => readFile(join(folder.path, "src/backlot.d.ts"), "utf8");
  expect(await types()).toContain('"users": {');
  const messages = await hear();
  await folder.replace("fixtures/tables/cups.json", { columns: { id: "INTEGER" }, rows: [] });
  await messages.until("backlot:update");
  expect(await types()).toContain('"cups": {');
});
