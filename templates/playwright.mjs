// From `backlot init`. The script "test:backlot" serves the fixtures while Playwright runs.
import { expect, test as base } from "@playwright/test";
import { connect } from "backlot/node";

const { BACKLOT_URL = "", AUTHORIZATION_TOKEN } = process.env;

// Each test has its own rows, chat scripts and journal: requests of its pages carry the header of its session.
const test = base.extend({
  session: async ({}, use) => {
    const session = connect(BACKLOT_URL).session(crypto.randomUUID());
    await use(session);
    await session.forget();
  },
  extraHTTPHeaders: async ({ session }, use) => {
    const authorization = `Bearer ${AUTHORIZATION_TOKEN}`;
    await use({ "x-backlot-session": session.id, authorization });
  },
});

test.skip(BACKLOT_URL === "", "There is no server: use npm run test:backlot.");

// Open your page here. BACKLOT_URL is the address of its backend.
test("a table is read", async ({ request, session }) => {
  const response = await request.get(`${BACKLOT_URL}/rest/products?category=tea&limit=1`);
  expect(response.status()).toBe(200);
  expect(await session.journal.list({ path: "/rest/products" })).toHaveLength(1);
});
