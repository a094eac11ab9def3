import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

const chats = [{ name: "greeting", when: { user: "hi" }, reply: { content: "from the fixtures" } }];

async function say(emulator: Pick<Emulator, "fetch">, content: string): Promise<string> {
  const response = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer k" },
    body: JSON.stringify({ model: "x", messages: [{ role: "user", content }] }),
  });
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? "";
}

test("tries an added script before all others", async () => {
  const emulator = await createEmulator({ fixtures: { chats } });
  await emulator.chats.add({ name: "first", reply: { content: "added" } });
  expect(await say(emulator, "hi")).toBe("added");
  expect(emulator.chats.list().map(({ name }) => name)).toEqual(["first", "greeting"]);
});

test("gives scripts without a name one of their own", async () => {
  const emulator = await createEmulator({});
  await Promise.all([
    emulator.chats.add({ reply: { content: "one" } }),
    emulator.chats.add({ reply: { content: "two" } }),
  ]);
  expect(new Set(emulator.chats.list().map(({ name }) => name)).size).toBe(2);
});

test("takes a script out", async () => {
  const emulator = await createEmulator({ fixtures: { chats } });
  emulator.chats.remove("greeting");
  expect(await say(emulator, "hi")).toBe("Echo: hi");
  expect(emulator.chats.list()).toEqual([]);
});

test("refuses to take out a script that there is not, and names the nearest", async () => {
  const emulator = await createEmulator({ fixtures: { chats } });
  expect(() => emulator.chats.remove("greetings")).toThrow(
    expect.objectContaining({
      code: "ERR_SCRIPT_REFUSED",
      message: expect.stringMatching(/^Cannot remove the script "greetings".*"greeting"/),
    }),
  );
});

test("refuses an added script whose template names a table that there is not", async () => {
  const emulator = await createEmulator({ fixtures: { tables: { users: [{ id: 1 }] } } });
  await expect(
    emulator.chats.add({ reply: { content: "{{ tables.usrs | size }}" } }),
  ).rejects.toMatchObject({
    code: "ERR_SCRIPT_REFUSED",
    message: expect.stringContaining('undefined variable: tables.usrs. Did you mean "users"?'),
  });
  await emulator.chats.add({ reply: { content: "{{ tables.users | size }}" } });
  expect(await say(emulator, "hi")).toBe("1");
});

test("refuses a script whose name is taken", async () => {
  const emulator = await createEmulator({ fixtures: { chats } });
  await expect(
    emulator.chats.add({ name: "greeting", reply: { content: "x" } }),
  ).rejects.toMatchObject({
    code: "ERR_SCRIPT_REFUSED",
    message: expect.stringContaining('"greeting"'),
  });
  expect(emulator.chats.list()).toHaveLength(1);
});

test.each([
  ['{"reply":{"contnet":"x"}}', '"content"'],
  ['{"name":"none"}', "reply"],
  ['{"reply":{"content":"x"},"when":{"user":{"regex":"("}}}', "regex"],
  ['{"reply":{"content":"{{ user | nofilter }}"}}', "nofilter"],
  ['{"reply":{"content":"x","headers":{"bad name":"x"}}}', "bad name"],
  ['{"reply":{"content":"x","headers":{"x-ok":"line\\nbreak"}}}', "x-ok"],
])("refuses the script %s and says why", async (json, named) => {
  const emulator = await createEmulator({});
  await expect(emulator.chats.add(JSON.parse(json))).rejects.toMatchObject({
    code: "ERR_SCRIPT_REFUSED",
    message: expect.stringContaining(named),
  });
  expect(emulator.chats.list()).toEqual([]);
});

test("gives a list of its own, which changes nothing in any session", async () => {
  const emulator = await createEmulator({
    fixtures: { chats: [{ name: "a", when: { user: "x" }, reply: { content: "y" } }] },
  });
  const given = emulator.chats.list();
  for (const script of given) Reflect.set(script, "name", "changed");
  Reflect.set(given, "length", 0);
  for (const world of [emulator, emulator.session("one")]) {
    expect(world.chats.list().map(({ name }) => name)).toEqual(["a"]);
  }
});
