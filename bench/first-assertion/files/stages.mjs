// Prints how long each of the first things takes that a test file does, in milliseconds.
const times = [];
let since = performance.now();
function note() {
  const now = performance.now();
  times.push(now - since);
  since = now;
}

const { createEmulator } = await import("backlot");
note();
const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [{ when: { user: "hello" }, reply: { content: "Hi." } }],
};
const emulator = await createEmulator({ fixtures, auth: false });
note();
await (await emulator.fetch("/rest/users/1")).json();
note();
const messages = [{ role: "user", content: "hello" }];
const body = JSON.stringify({ model: "any", messages });
await (await emulator.fetch("/v1/chat/completions", { method: "POST", body })).json();
note();
console.log(JSON.stringify(times));
