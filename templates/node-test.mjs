// From `backlot init`. Each test has its own rows, chat scripts and journal: those of its session.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createEmulator } from "backlot";
import { loadFixtures } from "backlot/node";

const emulator = await createEmulator({ fixtures: await loadFixtures("fixtures"), auth: false });

// Give `session.fetch` to the client under test.
const post = (body) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("a table is read and written", async ({ name }) => {
  const session = emulator.session(name);
  const page = await session.fetch("/rest/products?category=tea&sort_by=price&limit=1");
  assert.equal((await page.json()).result[0].category, "tea");
  const created = await session.fetch("/rest/products", post({ title: "Cup", price: 9 }));
  assert.equal(created.status, 201);
  assert.equal(session.journal.list({ method: "POST", status: 201 }).length, 1);
});

test("a chat answers", async ({ name }) => {
  const session = emulator.session(name);
  const request = { model: "atlas-large", messages: [{ role: "user", content: "Hello" }] };
  const response = await session.fetch("/v1/chat/completions", post(request));
  const { choices } = await response.json();
  assert.match(choices[0].message.content, /welcome to the Paper Kettle/);
});
