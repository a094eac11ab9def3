/** @jest-environment node */
// From `backlot init`. Each test has its own rows, chat scripts and journal: those of its session.
// Backlot has only ES modules: the script "test:backlot" sets the flag that Jest needs for them.
import { expect, test } from "@jest/globals";
import { createEmulator } from "backlot";
import { loadFixtures } from "backlot/node";

const emulator = await createEmulator({ fixtures: await loadFixtures("fixtures"), auth: false });

// Give `session.fetch` to the client under test.
const post = (body) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("a table is read and written", async () => {
  const session = emulator.session("a table");
  const page = await session.fetch("/rest/products?category=tea&sort_by=price&limit=1");
  expect((await page.json()).result[0].category).toBe("tea");
  const created = await session.fetch("/rest/products", post({ title: "Cup", price: 9 }));
  expect(created.status).toBe(201);
  expect(session.journal.list({ method: "POST", status: 201 })).toHaveLength(1);
});

test("a chat answers", async () => {
  const session = emulator.session("a chat");
  const request = { model: "atlas-large", messages: [{ role: "user", content: "Hello" }] };
  const response = await session.fetch("/v1/chat/completions", post(request));
  const { choices } = await response.json();
  expect(choices[0].message.content).toContain("welcome to the Paper Kettle");
});
