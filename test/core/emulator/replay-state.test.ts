import { expect, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorSession } from "../../../src/index.ts";
import { reading, recordedFixtures, saying } from "../../support/cassettes.ts";

const rules = { volatile: ["query.nonce"], headers: ["x-tenant"] };
const fixtures = recordedFixtures({
  tables: [1, 2, 3].map((number) => [reading("/users"), saying(number)]),
  rules,
});

/** What the next reads say. */
async function said({ fetch }: Pick<EmulatorSession, "fetch">, times = 1): Promise<unknown[]> {
  const bodies: unknown[] = [];
  while (bodies.length < times) bodies.push(await (await fetch("/rest/users?nonce=1")).json());
  return bodies.map((body) => (body as { said: unknown }).said);
}

async function stateOf({ fetch }: Pick<EmulatorSession, "fetch">): Promise<object> {
  return (await fetch("/__backlot/state")).json() as Promise<object>;
}

async function put({ fetch }: Emulator, document: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch("/__backlot/state", { method: "PUT", headers, body: JSON.stringify(document) });
}

test("a snapshot knows which recording is next", async () => {
  const emulator = await createEmulator({ fixtures });
  await said(emulator);
  const snapshot = emulator.snapshot();
  expect(await said(emulator, 2)).toEqual([2, 3]);
  emulator.restore(snapshot);
  expect(await said(emulator)).toEqual([2]);
  emulator.restore(snapshot);
  expect(await said(emulator)).toEqual([2]);
});

test("a session has its own place, which begins where the base session is", async () => {
  const emulator = await createEmulator({ fixtures });
  await said(emulator);
  const one = emulator.session("one");
  expect(await said(one)).toEqual([2]);
  expect(await said(emulator, 2)).toEqual([2, 3]);
  expect(await said(one)).toEqual([3]);
  one.reset();
  expect(await said(one)).toEqual([1]);
});

test("an exported state has the cassettes, the rules and how far each is", async () => {
  const emulator = await createEmulator({ fixtures });
  expect(await stateOf(emulator)).not.toHaveProperty("state.played");
  await said(emulator, 2);
  const state = await stateOf(emulator);
  expect(state).toMatchObject({ recording: rules, state: { played: { rows: [1, 1] } } });
  const again = await createEmulator({ fixtures: state });
  expect(await stateOf(again)).toEqual(state);
  expect(await said(again)).toEqual([3]);
});

test("an imported state brings its own cassettes, until the next reset", async () => {
  const emulator = await createEmulator({ fixtures });
  await said(emulator);
  const other = recordedFixtures({ tables: [[reading("/users"), saying("other")]] });
  expect((await put(emulator, { ...other, state: { played: { rows: [4] } } })).status).toBe(204);
  expect((await emulator.fetch("/rest/users?nonce=1")).status).toBe(401);
  expect(await (await emulator.fetch("/rest/users")).json()).toEqual({ said: "other" });
  expect(await stateOf(emulator)).toMatchObject({ state: { played: { rows: [5] } } });
  expect(await said({ fetch: emulator.session("fork").fetch }).catch(() => "none")).toBeDefined();
  emulator.reset();
  expect(await said(emulator, 2)).toEqual([1, 2]);
});

test.each([
  [
    { played: { rwos: [1] } },
    'state.played.rwos: There is no cassette "rwos". Did you mean "rows"?',
  ],
  [{ played: { rows: [1, 1, 1, 1] } }, "There are 4 counts, but the cassette has 3 recordings."],
  [{ played: { rows: [-1] } }, "state.played.rows[0]"],
])("refuses the counts %j", async (state, problem) => {
  await expect(createEmulator({ fixtures: { ...fixtures, state } })).rejects.toThrow(problem);
});
