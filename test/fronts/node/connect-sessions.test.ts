import { expect, test } from "vitest";
import { type EmulatorSession, isEmulatorError } from "../../../src/index.ts";
import type { RemoteSession } from "../../../src/fronts/node/index.ts";
import { served, storing } from "./served-remote.ts";

type Began = Pick<EmulatorSession, "fetch"> | Pick<RemoteSession, "fetch">;

/** An id and a time that replies have. */
async function completion({ fetch }: Began): Promise<{ id: string; created: number }> {
  const body = JSON.stringify({ model: "any", messages: [{ role: "user", content: "hello" }] });
  const headers = { "content-type": "application/json" };
  const response = await fetch("/v1/chat/completions", { method: "POST", headers, body });
  const { id, created } = Object(await response.json());
  return { id, created };
}

test("takes snapshots of a session, goes back to them, lists and forgets them", async () => {
  const { emulator, remote } = await served();
  const { snapshot, restore, tables } = remote.session("builder");
  await tables.users.replaceRows([{ id: 1, name: "Ada" }, { name: "Grace" }]);
  await snapshot("two/users");
  await tables.users.replaceRows([]);
  await restore("two/users");
  expect(await tables.users.rows()).toHaveLength(2);
  expect(await remote.snapshots.list()).toEqual(["two/users"]);
  expect(emulator.snapshots.list()).toEqual(["two/users"]);
  expect(await remote.snapshots.delete("two/users")).toBe(true);
  expect(await remote.snapshots.delete("two/users")).toBe(false);
});

test("begins a session from a snapshot, in place of what it was", async () => {
  const { remote } = await served();
  await remote.tables.users.replaceRows([]);
  await remote.snapshot("empty");
  await remote.reset();
  const session = remote.session("mine");
  await session.fetch("/rest/users", storing("Grace"));
  await session.begin({ from: "empty" });
  expect(await session.tables.users.rows()).toEqual([]);
  expect(await session.journal.list()).toEqual([]);
  await session.begin();
  expect(await session.tables.users.rows()).toEqual([{ id: 1, name: "Ada" }]);
});

const day = "2020-02-02T00:00:00Z";

test.each([day, Date.parse(day), new Date(day)])(
  "begins a session with a clock and a seed as one of the same process does, clock %j",
  async (clock) => {
    const { emulator, remote } = await served();
    const session = remote.session("mine");
    await session.begin({ clock, seed: 7 });
    const told = await completion(session);
    expect(told).toEqual(await completion(emulator.session("other", { clock, seed: 7 })));
    expect(told.created).toBe(Date.parse(day) / 1000);
  },
);

test.each([
  [{ from: "sedeed" }, 'Cannot begin the session: the server answers: .*Did you mean "seeded"'],
  [{ form: "seeded" }, 'Cannot begin the session: .*Did you mean "from"'],
  [{ seed: 0.5 }, "Cannot begin the session: the server answers: .*seed"],
  [{ clock: "soon" }, "Cannot use the option clock"],
  [{ clock: 8.64e15 }, "Cannot begin the session: the server answers: .*clock"],
])("refuses to begin a session with %j, and leaves it as it was", async (options, says) => {
  const { remote } = await served();
  await remote.snapshot("seeded");
  const session = remote.session("mine");
  await session.fetch("/rest/users", storing("Grace"));
  await expect(session.begin(options as object)).rejects.toMatchObject({
    name: "EmulatorError",
    code: "ERR_OPTION_INVALID",
    message: expect.stringMatching(says),
  });
  expect(await session.tables.users.rows()).toHaveLength(2);
});

test("refuses options where a session is only named, which would change nothing", async () => {
  const { remote } = await served();
  const session = (): unknown =>
    Reflect.apply(remote.session, undefined, ["mine", { from: "seeded" }]);
  expect(session).toThrow(
    'Cannot begin the session "mine" with options: on a server that is asynchronous. Pass the options to begin: await session.begin(options).',
  );
});

test.each([
  ["restore", "sedeed", /Cannot restore the snapshot: .*Did you mean "seeded"/],
  ["snapshot", "a\0", /Cannot take the snapshot: .*no control characters/],
] as const)("says why it cannot %s %j", async (what, name, message) => {
  const { remote } = await served();
  await remote.snapshot("seeded");
  const failure = await remote[what](name).catch((error: unknown) => error);
  expect(isEmulatorError(failure) && [failure.code, failure.message]).toEqual([
    "ERR_OPTION_INVALID",
    expect.stringMatching(message),
  ]);
});
