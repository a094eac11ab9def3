import { expect, vi } from "vitest";
import { randomFromSeed } from "../../../src/core/emulator/environment.ts";
import { ask } from "../../support/requests.ts";
import { ownSchema } from "../../support/postgres/server.ts";
import { sharedEmulator, twoEmulators } from "./shared-emulator.ts";
import { otherProgram, serverTest } from "./with-server.ts";

const notes = {
  tables: {
    notes: {
      rows: [
        { id: 1, text: "first" },
        { id: 2, text: "second" },
      ],
    },
  },
};

serverTest("two emulators on one schema see each other's writes at once", async () => {
  const [one, other] = await twoEmulators(await ownSchema(), { fixtures: notes });
  const made = await ask(one, "POST /rest/notes", { json: { text: "third" } });
  expect(made.status).toBe(201);
  expect((await ask(other, "GET /rest/notes/3")).body).toEqual({
    result: [{ id: 3, text: "third" }],
  });
  await ask(other, "DELETE /rest/notes/1");
  await ask(other, "PATCH /rest/notes/2", { json: { text: "changed" } });
  expect((await ask(one, "GET /rest/notes")).body).toEqual({
    result: [
      { id: 2, text: "changed" },
      { id: 3, text: "third" },
    ],
  });
});

serverTest("tables are read and written while a chat waits for its place", async () => {
  const chats = [
    { when: { user: "first" }, reply: { fault: { kind: "hang" } } },
    { reply: { content: "{{ tables.notes | size }} notes" } },
  ];
  const fixtures = { ...notes, chats, chat: { load: [{ capacity: 1, queue: 5 }] } };
  const [one, other] = await twoEmulators(await ownSchema(), { fixtures });
  const chat = (said: string, signal?: AbortSignal): Promise<Response> =>
    one.fetch("/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer any", "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: said }] }),
      ...(signal === undefined ? {} : { signal }),
    });
  const leaving = new AbortController();
  const first = chat("first", leaving.signal).catch(() => undefined);
  await expect.poll(() => one.journal.list().length).toBe(1);
  const waiting = [chat("second"), chat("third")];
  await expect.poll(() => one.journal.list().length).toBe(3);
  for (const emulator of [one, other]) {
    expect((await ask(emulator, "POST /rest/notes", { json: { text: "more" } })).status).toBe(201);
    expect((await ask(emulator, "GET /rest/notes/1")).status).toBe(200);
  }
  leaving.abort();
  await first;
  // They see what was written while they waited.
  for (const answer of waiting) expect(await (await answer).text()).toContain("4 notes");
});

serverTest(
  "rows that both add at the same time have keys of their own, and all are kept",
  async () => {
    const both = await twoEmulators(await ownSchema(), { fixtures: notes });
    const added = await Promise.all(
      Array.from({ length: 40 }, (_, at) => {
        const [one, other] = both;
        const emulator = at % 2 === 0 ? one : other;
        return ask(emulator, "POST /rest/notes", { json: { text: `added ${at}` } });
      }),
    );
    expect(added.every(({ status }) => status === 201)).toBe(true);
    for (const emulator of both) {
      const { body } = await ask(emulator, "GET /rest/notes?limit=100");
      const { result } = body as { readonly result: readonly { id: number; text: string }[] };
      expect(result.map(({ id }) => id)).toEqual(Array.from({ length: 42 }, (_, at) => at + 1));
      expect(new Set(result.map(({ text }) => text)).size).toBe(42);
    }
  },
);

serverTest(
  "reads that come while somebody writes see the write as a whole or not at all",
  async () => {
    const [one, other] = await twoEmulators(await ownSchema(), { fixtures: notes });
    const rows = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, text: "new" }));
    const counts = await Promise.all([
      one.fetch("/__backlot/tables/notes", {
        method: "PUT",
        body: JSON.stringify(rows),
        headers: { "content-type": "application/json" },
      }),
      ...Array.from({ length: 20 }, (_, at) =>
        ask(at % 2 === 0 ? one : other, "GET /rest/notes?limit=100"),
      ),
    ]);
    for (const answer of counts.slice(1)) {
      const { result } = (answer as { body: { result: unknown[] } }).body;
      expect([2, 50]).toContain(result.length);
    }
    const { body } = await ask(other, "GET /rest/notes?text=new&limit=100");
    expect(body).toEqual({ result: rows });
  },
);

serverTest("what another program does to the rows is seen", async () => {
  const url = await ownSchema();
  const emulator = await sharedEmulator(url, { fixtures: notes });
  const run = await otherProgram(url);
  const shown = async (): Promise<unknown> => (await ask(emulator, "GET /rest/notes")).body;
  await run("insert into notes (text) values ('by hand'), ('too')");
  expect(await shown()).toMatchObject({
    result: [{ id: 1 }, { id: 2 }, { id: 3, text: "by hand" }, { id: 4 }],
  });
  await run("update notes set id = 9, text = 'moved' where id = 2; delete from notes where id < 4");
  expect(await shown()).toEqual({
    result: [
      { id: 4, text: "too" },
      { id: 9, text: "moved" },
    ],
  });
  await run("truncate notes");
  expect(await shown()).toEqual({ result: [] });
});

serverTest(
  "a program that has not committed yet is waited for by writes, and not seen by reads",
  async () => {
    const url = await ownSchema();
    const emulator = await sharedEmulator(url, { fixtures: notes });
    const run = await otherProgram(url);
    await run("begin");
    await run("insert into notes values (3, 'theirs')");
    expect((await ask(emulator, "GET /rest/notes/3")).body).toEqual({ result: [] });
    const ours = ask(emulator, "POST /rest/notes", { json: { text: "ours" } });
    await run("commit");
    expect((await ours).status).toBe(201);
    expect((await ask(emulator, "GET /rest/notes")).body).toMatchObject({
      result: [{ id: 1 }, { id: 2 }, { id: 3, text: "theirs" }, { id: 4, text: "ours" }],
    });
  },
);

serverTest("a restart finds the rows that were kept, and not those of the fixtures", async () => {
  const url = await ownSchema();
  const before = await sharedEmulator(url, { fixtures: notes });
  await ask(before, "DELETE /rest/notes/1");
  const changed = { tables: { notes: { rows: [{ id: 7, text: "of other fixtures" }] } } };
  const after = await sharedEmulator(url, { fixtures: changed });
  expect((await ask(after, "GET /rest/notes")).body).toEqual({
    result: [{ id: 2, text: "second" }],
  });
});

serverTest("a reset puts the rows of the fixtures back for all", async () => {
  const [one, other] = await twoEmulators(await ownSchema(), { fixtures: notes });
  await ask(one, "DELETE /rest/notes/1");
  await ask(other, "POST /rest/notes", { json: { text: "third" } });
  expect((await ask(other, "POST /__backlot/reset")).status).toBe(204);
  expect((await ask(one, "GET /rest/notes")).body).toEqual({ result: notes.tables.notes.rows });
});

serverTest("goes back to a snapshot for all", async () => {
  const [one, other] = await twoEmulators(await ownSchema(), { fixtures: notes });
  await ask(one, "POST /rest/notes", { json: { text: "third" } });
  expect((await ask(other, "PUT /__backlot/snapshots/three")).status).toBe(204);
  await ask(one, "DELETE /rest/notes/2");
  expect((await ask(other, "POST /__backlot/snapshots/three/restore")).status).toBe(204);
  expect((await ask(one, "GET /rest/notes")).body).toMatchObject({
    result: [{ id: 1 }, { id: 2 }, { id: 3 }],
  });
});

serverTest(
  "a write that is refused changes nothing, with the words that it has in memory",
  async () => {
    const emulator = await sharedEmulator(await ownSchema(), { fixtures: notes });
    const refused = await ask(emulator, "POST /rest/notes", { json: { id: 1, text: "again" } });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("must be unique, and 1 is taken");
    expect((await ask(emulator, "GET /rest/notes")).body).toEqual({
      result: notes.tables.notes.rows,
    });
  },
);

serverTest("templates of chat scripts see what others wrote", async () => {
  const chats = [{ reply: { content: "{{ tables.notes | size }} notes" } }];
  const [one, other] = await twoEmulators(await ownSchema(), { fixtures: { ...notes, chats } });
  await ask(one, "DELETE /rest/notes/1");
  const json = { model: "m", messages: [{ role: "user", content: "how many?" }] };
  const answer = await ask(other, "POST /v1/chat/completions", { json });
  expect(answer.text).toContain("1 notes");
});

serverTest("who is far behind reads whole tables", async () => {
  const url = await ownSchema();
  const emulator = await sharedEmulator(url, { fixtures: notes });
  const run = await otherProgram(url);
  await run("update notes set text = 'new'");
  await run("delete from _backlot_changes; update _backlot_state set oldest = version + 1");
  expect((await ask(emulator, "GET /rest/notes/2")).body).toEqual({
    result: [{ id: 2, text: "new" }],
  });
});

serverTest("a schema that was dropped and made anew is read anew", async () => {
  const url = await ownSchema();
  const emulator = await sharedEmulator(url, { fixtures: notes });
  await ask(emulator, "DELETE /rest/notes/1");
  const run = await otherProgram(url);
  await run(`drop schema "${new URL(url).searchParams.get("schema")}" cascade`);
  expect((await ask(emulator, "GET /rest/notes")).status).toBe(503);
  await sharedEmulator(url, { fixtures: notes });
  expect((await ask(emulator, "GET /rest/notes")).body).toEqual({
    result: notes.tables.notes.rows,
  });
});

serverTest("a schema that was made anew for another profile is refused", async () => {
  const url = await ownSchema();
  const emulator = await sharedEmulator(url, { fixtures: notes });
  const run = await otherProgram(url);
  await run(`drop schema "${new URL(url).searchParams.get("schema")}" cascade`);
  await sharedEmulator(url, { fixtures: notes, settings: { profiles: { tables: "starbasedb" } } });
  const answer = await ask(emulator, "GET /rest/notes");
  expect(answer.status).toBe(503);
  expect(answer.text).toContain("not those of the fixtures any more");
});

serverTest("two servers of the profile starbasedb share values of any kind", async () => {
  const settings = { profiles: { tables: "starbasedb" } } as const;
  const columns = { id: "INTEGER", size: "INTEGER", note: "TEXT" };
  const fixtures = { tables: { things: { primaryKey: "id", columns, rows: [] } } };
  const [one, other] = await twoEmulators(await ownSchema(), { fixtures, settings });
  const json = { size: "no number", note: "a\0b" };
  expect((await ask(one, "POST /rest/things", { json })).status).toBe(201);
  const rows = await ask(one, "GET /rest/things");
  expect(rows.body).toMatchObject({ result: [{ size: "no number", note: "a\0b" }] });
  expect((await ask(other, "GET /rest/things")).text).toBe(rows.text);
});

serverTest("whoever writes at the same time, all have the same rows in the end", async () => {
  const url = await ownSchema();
  const both = await twoEmulators(url, { fixtures: notes });
  const run = await otherProgram(url);
  const random = randomFromSeed(8);
  const acts = Array.from({ length: 90 }, async (): Promise<void> => {
    const emulator = both[Math.floor(random.next() * 2)] ?? both[0];
    const id = 1 + Math.floor(random.next() * 12);
    const text = `written ${random.next()}`;
    switch (Math.floor(random.next() * 5)) {
      case 0:
        return void (await ask(emulator, "POST /rest/notes", { json: { text } }));
      case 1:
        return void (await ask(emulator, `PATCH /rest/notes/${id}`, { json: { text } }));
      case 2:
        return void (await ask(emulator, `DELETE /rest/notes/${id}`));
      case 3:
        return void (await run(`update notes set text = '${text}' where id = ${id}`));
      default:
        return void (await run(`insert into notes (text) values ('${text}')`));
    }
  });
  await Promise.all(acts);
  const kept = await run("select id::int, text from notes order by id");
  for (const emulator of both) {
    expect((await ask(emulator, "GET /rest/notes?limit=100")).body).toEqual({ result: kept });
  }
});

serverTest("a write is not seen before PostgreSQL has it", async () => {
  const url = await ownSchema();
  const [one, other] = await twoEmulators(url, { fixtures: notes });
  const run = await otherProgram(url);
  await run("begin");
  await run("select * from notes where id = 1 for update");
  const write = ask(one, "PATCH /rest/notes/1", { json: { text: "changed" } });
  const isWaiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock'
    and query like '%${new URL(url).searchParams.get("schema")}%'`;
  // Not in the transaction, which would be told the same each time.
  const look = await otherProgram(url);
  await vi.waitUntil(async () => (await look(isWaiting)).length > 0, { timeout: 30_000 });
  for (const emulator of [one, other]) {
    expect((await ask(emulator, "GET /rest/notes/1")).body).toEqual({
      result: [{ id: 1, text: "first" }],
    });
  }
  await run("rollback");
  expect((await write).status).toBe(200);
  for (const emulator of [one, other]) {
    expect((await ask(emulator, "GET /rest/notes/1")).body).toEqual({
      result: [{ id: 1, text: "changed" }],
    });
  }
});

serverTest(
  "a write that PostgreSQL refuses did not happen, and is answered with its reason",
  async () => {
    const url = await ownSchema();
    const emulator = await sharedEmulator(url, { fixtures: notes });
    const run = await otherProgram(url);
    await run("alter table notes add constraint polite check (text <> 'rude')");
    const refused = await ask(emulator, "POST /rest/notes", { json: { text: "rude" } });
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ error: expect.stringMatching(/which refuses: .*polite/) });
    expect((await ask(emulator, "GET /rest/notes")).body).toEqual({
      result: notes.tables.notes.rows,
    });
    expect(
      (await ask(emulator, "POST /rest/notes", { json: { text: "kind" } })).body,
    ).toMatchObject({
      result: { data: { id: 3 } },
    });
  },
);
