import assert from "node:assert/strict";
import { createEmulator } from "backlot";
import { handlers } from "backlot/msw";
import { setupServer } from "msw/node";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ when: { user: "hello" }, reply: { content: "Hi." } }],
};
const server = setupServer(...handlers(await createEmulator({ fixtures, auth: false })));
server.listen();
const response = await fetch("http://backend.test/rest/users/1");
assert.deepEqual(await response.json(), { result: [{ id: 1, name: "Ada" }] });
server.close();
