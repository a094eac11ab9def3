// What is asked of an emulator in each runtime. Seed and clock are fixed, so all have to answer the same bytes.
import { createEmulator } from "backlot";

const key = { authorization: "Bearer local-token" };
const chatKey = { ...key, "content-type": "application/json" };

const fixtures = {
  seed: 8,
  clock: "2024-01-01T00:00:00Z",
  models: [{ id: "atlas", contextLength: 8192 }],
  tables: {
    users: {
      primaryKey: "id",
      columns: { id: "INTEGER", name: { type: "TEXT", notNull: true }, email: "TEXT" },
      rows: [{ id: 1, name: "Ada" }],
      generate: {
        count: 5,
        row: {
          name: "{{ 'person.fullName' | faker }}",
          email: "{{ 'internet.email' | faker }}",
        },
      },
    },
  },
  chats: [
    {
      name: "weather",
      when: { user: "weather" },
      reply: {
        content: "It is {{ user | size }} degrees for {{ 'person.firstName' | faker }} 🌦️.",
        pace: { by: "token" },
      },
    },
  ],
};

function asks(text, more) {
  const messages = [{ role: "user", content: text }];
  const body = JSON.stringify({ model: "atlas", messages, ...more });
  return { method: "POST", headers: chatKey, body };
}

function writes(method, value) {
  return { method, headers: chatKey, body: JSON.stringify(value) };
}

const requests = [
  ["/rest/users", { headers: key }],
  ["/rest/users?name.like=A%25&sort_by=name&order=DESC&limit=2", { headers: key }],
  ["/rest/users", writes("POST", { name: "Grëta" })],
  ["/rest/users/1", writes("PUT", { name: "Ada L." })],
  ["/rest/users/1", writes("PATCH", { email: "ada@example.com" })],
  ["/rest/users/2", { method: "DELETE", headers: key }],
  ["/rest/users?sort_by=id", { headers: key }],
  ["/rest/user", { headers: key }],
  ["/rest/users", {}],
  ["/rest/users", { ...writes("POST", {}), body: "{" }],
  ["/@other/rest/users", { headers: key }],
  ["/v1/models", { headers: key }],
  ["/v1/chat/completions", asks("How is the weather?")],
  ["/v1/chat/completions", asks("weather 👩‍👩‍👧‍👦", { stream: true })],
  ["/v1/chat/completions", asks("Nobody knows this", { max_tokens: 3, logprobs: true })],
  [
    "/v1/chat/completions",
    asks("Hello", { stream: true, stream_options: { include_usage: true } }),
  ],
  ["/v1/chat/completions", { ...asks(""), body: '{"model":1}' }],
  ["/__backlot/sessions", {}],
];

async function answer(emulator, [path, init]) {
  const response = await emulator.fetch(path, init);
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).toSorted();
  // The rest of that sentence is what the runtime's own parser says.
  const body = (await response.text()).replace(/(cannot be read as JSON: ).*?(","code")/, "$1…$2");
  return `${init.method ?? "GET"} ${path}\n${response.status}\n${head.join("\n")}\n\n${body}`;
}

/** Asks all, and gives what was answered, in order. */
export async function transcript() {
  const emulator = await createEmulator({ fixtures, speed: 0 });
  const answers = [];
  for (const request of requests) answers.push(await answer(emulator, request));
  emulator.faults.add({ interface: "chat", status: 503, retryAfterMs: 10, times: 1 });
  emulator.faults.add({ interface: "tables", fault: "reset", times: 1 });
  answers.push(await answer(emulator, ["/v1/chat/completions", asks("Hello")]));
  const broken = emulator.fetch("/rest/users", { headers: key });
  answers.push(await broken.then(String, (error) => error.constructor.name));
  const snapshot = emulator.snapshot();
  emulator.tables.users.insert({ name: "Grace" });
  emulator.restore(snapshot);
  answers.push(JSON.stringify(emulator.tables.users.rows()));
  answers.push(JSON.stringify(emulator.journal.list().map(({ answeredBy }) => answeredBy)));
  const refused = createEmulator({ fixtures: { tables: { users: { colums: {} } } } });
  answers.push(await refused.then(String, ({ code, message }) => `${code} ${message}`));
  return answers;
}
