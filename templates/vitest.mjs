// @vitest-environment node
// From `backlot init`. Each test has its own rows, chat scripts and journal.
import { loadFixtures } from "backlot/node";
import { createTest } from "backlot/vitest";
import { expect } from "vitest";

const test = createTest({ fixtures: await loadFixtures("fixtures"), auth: false });

// Give `backlot.fetch` to the client under test.
const post = (body) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("a table is read and written", async ({ backlot }) => {
  const page = await backlot.fetch("/rest/products?category=tea&sort_by=price&limit=1");
  expect((await page.json()).result[0]).toMatchObject({ category: "tea" });
  const created = await backlot.fetch("/rest/products", post({ title: "Cup", price: 9 }));
  expect(created.status).toBe(201);
  expect(backlot.journal).toHaveBeenAsked({ method: "POST", body: { title: "Cup" }, times: 1 });
});

test("a chat answers", async ({ backlot }) => {
  const request = { model: "atlas-large", messages: [{ role: "user", content: "Hello" }] };
  const response = await backlot.fetch("/v1/chat/completions", post(request));
  const { choices } = await response.json();
  expect(choices[0].message.content).toContain("welcome to the Paper Kettle");
});
