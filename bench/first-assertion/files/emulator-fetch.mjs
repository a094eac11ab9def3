import assert from "node:assert/strict";
import { createEmulator } from "backlot";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ when: { user: "hello" }, reply: { content: "Hi." } }],
};
const emulator = await createEmulator({ fixtures, auth: false });
const response = await emulator.fetch("/rest/users/1");
assert.deepEqual(await response.json(), { result: [{ id: 1, name: "Ada" }] });
