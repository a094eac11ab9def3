import { expect, test, vi } from "vitest";
import { Core } from "../../../src/core/emulator/core.ts";
import { fixtureSetFrom } from "../../../src/core/emulator/emulator.ts";
import { runtimeTimers } from "../../../src/core/emulator/environment.ts";
import type { Call } from "../../../src/core/http/call.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import type { Timers } from "../../../src/core/http/scheduler.ts";
import { nodeExtras } from "../../../src/fronts/node/extras.ts";
import { call } from "../../support/calls.ts";

const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, user: 1 }));
const scripts = Array.from({ length: 500 }, (_, at) => ({
  name: `script ${at}`,
  when: { user: `word ${at}` },
  reply: { content: "a" },
}));

/** An emulator whose work takes a turn for each of its steps, and how many turns there were. */
class Stepping {
  turns = 0;
  readonly core: Core;

  private constructor(fixtures: Awaited<ReturnType<typeof fixtureSetFrom>>) {
    let time = 0;
    const timers: Timers = {
      ...runtimeTimers,
      now: () => (time += 1_000),
      set: (run, ms) => {
        this.turns++;
        return runtimeTimers.set(run, ms);
      },
    };
    this.core = new Core(fixtures, { auth: false }, { extras: nodeExtras, timers });
  }

  static async of(fixtures: object): Promise<Stepping> {
    return new Stepping(await fixtureSetFrom(fixtures, {}));
  }

  async ask(asked: Call): Promise<Reply> {
    return (await this.core.handle(asked, { inProcess: true })).reply;
  }

  /** Asks, and waits for the first turn. */
  async begun(asked: Call): Promise<{ readonly reply: Promise<Reply> }> {
    const { turns } = this;
    const reply = this.ask(asked);
    await vi.waitUntil(() => this.turns > turns, { interval: 0 });
    return { reply };
  }

  get(path: string): Promise<Reply> {
    return this.ask(call("GET", path));
  }

  /** The number of rows of a table. */
  count(table: string): number {
    return this.core.state.database.table(table)?.rows().length ?? NaN;
  }
}

const users = { columns: { id: "INTEGER" }, rows: [{ id: 1 }] };
const posts = {
  columns: { id: "INTEGER", user: { type: "INTEGER", references: "users.id" } },
  rows,
};
const fixtures = { tables: { users, posts }, chats: scripts };

test.each([
  ["an export", call("GET", "/__backlot/state"), 200],
  ["the rows of a table", call("GET", "/__backlot/tables/posts"), 200],
  ["new rows of a table", call("PUT", "/__backlot/tables/posts", { body: rows }), 204],
  ["a state of rows", call("PUT", "/__backlot/state", { body: { tables: { posts: rows } } }), 204],
  ["a state of scripts", call("PUT", "/__backlot/state", { body: { chats: scripts } }), 204],
])("answers others while it makes %s", async (_, asked, status) => {
  const stepping = await Stepping.of(fixtures);
  let isOver = false;
  const slow = stepping.ask(asked).finally(() => (isOver = true));
  for (let time = 0; time < 5; time++) {
    expect(await stepping.get("/rest/users")).toMatchObject({ status: 200 });
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(isOver).toBe(false);
  expect(await slow).toMatchObject({ status });
  expect(stepping.turns).toBeGreaterThan(5);
});

test("exports the state of one moment, whatever is written meanwhile", async () => {
  const stepping = await Stepping.of(fixtures);
  const before = await stepping.get("/__backlot/state");
  const exported = await stepping.begun(call("GET", "/__backlot/state"));
  for (let time = 0; time < 5; time++) {
    const added = call("POST", "/rest/users", { body: { id: 10 + time } });
    expect(await stepping.ask(added)).toMatchObject({ status: 201 });
    expect(await stepping.ask(call("DELETE", `/rest/posts/${1_999 - time}`))).toMatchObject({
      status: 200,
    });
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(JSON.stringify(await exported.reply) === JSON.stringify(before)).toBe(true);
  expect(stepping.count("users")).toBe(6);
});

test.each([
  ["an export", "GET", "/__backlot/state", undefined],
  ["the rows of a table", "GET", "/__backlot/tables/posts", undefined],
  ["new rows of a table", "PUT", "/__backlot/tables/posts", rows.slice(0, 1_000)],
  ["a state", "PUT", "/__backlot/state", { tables: { posts: rows.slice(0, 1_000) } }],
])("ends %s when the client has gone", async (_, method, path, body) => {
  const stepping = await Stepping.of(fixtures);
  const leaves = new AbortController();
  const { signal } = leaves;
  const { reply } = await stepping.begun({ ...call(method, path, { body }), signal });
  leaves.abort();
  const { turns } = stepping;
  expect((await reply).body).toEqual({ kind: "no-answer", how: "reset" });
  expect(stepping.turns - turns).toBeLessThan(3);
  expect(stepping.count("posts")).toBe(2_000);
});

test("keeps what is written to other tables while the rows of one are replaced, and checks it", async () => {
  const stepping = await Stepping.of(fixtures);
  const replacement = call("PUT", "/__backlot/tables/posts", { body: rows });
  const replaced = await stepping.begun(replacement);
  const more = call("POST", "/rest/users", { body: { id: 2 } });
  expect(await stepping.ask(more)).toMatchObject({ status: 201 });
  expect(await replaced.reply).toMatchObject({ status: 204 });
  expect(stepping.count("users")).toBe(2);
  const refused = await stepping.begun(replacement);
  const empty = call("PUT", "/__backlot/tables/posts", { body: [] });
  expect(await stepping.ask(empty)).toMatchObject({ status: 204 });
  const gone = call("DELETE", "/rest/users/1");
  expect(await stepping.ask(gone)).toMatchObject({ status: 200 });
  expect(await refused.reply).toMatchObject({ status: 400 });
  expect(stepping.count("posts")).toBe(0);
});

test("reads large bodies one after the other, since each takes much memory", async () => {
  const stepping = await Stepping.of(fixtures);
  const long = "x".repeat(1_000_000);
  const many = { tables: { posts: rows, notes: [{ id: 1, text: long }] } };
  const few = { tables: { notes: [{ id: 1, text: long }] } };
  const order: string[] = [];
  const answers = [many, few, {}].map(async (body, at) => {
    const reply = await stepping.ask(call("PUT", "/__backlot/state", { body }));
    order.push(["many", "few", "small"][at] ?? "");
    return reply.status;
  });
  expect(await Promise.all(answers)).toEqual([204, 204, 204]);
  expect(order).toEqual(["small", "many", "few"]);
});
