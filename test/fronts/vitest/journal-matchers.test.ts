import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import type { JournalCriteria } from "../../../src/fronts/vitest/index.ts";
import "../../../src/fronts/vitest/index.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

function storing(retryCount: string): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", "x-stainless-retry-count": retryCount },
    body: JSON.stringify({ id: 2, name: "Grace" }),
  };
}

/** An emulator that was asked for a user, then to store Grace, then once more, then for something else. */
async function asked(): Promise<Emulator> {
  const emulator: Emulator = await createEmulator({ fixtures, auth: false });
  await emulator.fetch("/rest/users/1");
  await emulator.fetch("/rest/users", storing("0"));
  await emulator.fetch("/rest/users", storing("1"));
  await emulator.fetch("/rest/orders");
  return emulator;
}

/** What an assertion says when it fails. */
function failureOf(assert: () => void): string {
  try {
    assert();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "no failure";
}

test.each<JournalCriteria | undefined>([
  undefined,
  {},
  { method: "post" },
  { path: "/rest/users" },
  { path: /^\/rest\/users$/g },
  { interface: "tables" },
  { interface: "tables" },
  { status: 201 },
  { body: { name: "Grace" } },
  { body: { name: expect.stringContaining("rac") } },
  { body: null },
  { times: 4 },
  { method: "DELETE", times: 0 },
  { path: "/rest/users", method: "POST", body: { id: 2 }, status: 201, times: 1 },
])("finds what was asked: %j", async (criteria) => {
  const { journal } = await asked();
  expect(journal).toHaveBeenAsked(criteria);
  expect(() => expect(journal).not.toHaveBeenAsked(criteria)).toThrow(/expected the journal not/);
});

test.each<JournalCriteria>([
  { method: "DELETE" },
  { path: "/users" },
  { path: /users\/\d{2}/ },
  { interface: "chat" },
  { status: 500 },
  { body: { name: "Ada" } },
  { body: { constructor: {} } },
  { body: JSON.parse('{"__proto__":{}}') },
  { times: 3 },
  { path: "/rest/orders", method: "POST" },
])("does not find what was not asked: %j", async (criteria) => {
  const { journal } = await asked();
  expect(journal).not.toHaveBeenAsked(criteria);
  expect(() => expect(journal).toHaveBeenAsked(criteria)).toThrow(/The closest requests|times/);
});

test("a failure lists what came closest, and why each is not what was meant", async () => {
  const { journal } = await asked();
  const criteria = { method: "POST", path: "/rest/users", body: { name: "Ada" }, status: 201 };
  expect(failureOf(() => expect(journal).toHaveBeenAsked(criteria))).toBe(
    [
      'expected the journal to have been asked POST /rest/users, status 201, body {"name": "Ada"}, but it was not. The closest requests:',
      '  #2 POST /rest/users → 201: body.name was "Grace", not "Ada"',
      '  #3 POST /rest/users → 409: status was 409, not 201; body.name was "Grace", not "Ada"',
      '  #1 GET /rest/users/1 → 200: method was GET, not POST; status was 200, not 201; body was null, not {"name": "Ada"}',
      '  #4 GET /rest/orders → 404: path was /rest/orders, not /rest/users; method was GET, not POST; status was 404, not 201; body was null, not {"name": "Ada"}',
    ].join("\n"),
  );
});

test("a failure by too many lists those that were found", async () => {
  const { journal } = await asked();
  const assert = (): void => expect(journal).toHaveBeenAsked({ method: "POST", times: 1 });
  expect(failureOf(assert)).toBe(
    [
      "expected the journal to have been asked POST exactly once, but it was 2 times:",
      "  #2 POST /rest/users → 201",
      "  #3 POST /rest/users → 409",
    ].join("\n"),
  );
});

test("a failure by too few tells how many there were", async () => {
  const { journal } = await asked();
  const assert = (): void => expect(journal).toHaveBeenAsked({ path: "/rest/users/", times: 2 });
  expect(failureOf(assert)).toContain("exactly 2 times, but it was once. The closest requests:");
});

test.each<[JournalCriteria, string]>([
  [{ times: 5 }, "anything exactly 5 times, but it was 4 times:\n  #1 GET /rest/users/1 → 200\n"],
  [
    { method: "PUT", times: 1 },
    "PUT exactly once, but it was not. The closest requests:\n  #1 GET",
  ],
])("a failure by %j tells of all there is", async (criteria, text) => {
  const { journal } = await asked();
  expect(failureOf(() => expect(journal).toHaveBeenAsked(criteria))).toContain(text);
});

test("a failure of `not` with no time at all has nothing to list", async () => {
  const { journal } = await asked();
  const criteria = { method: "PUT", times: 0 };
  expect(failureOf(() => expect(journal).not.toHaveBeenAsked(criteria))).toBe(
    "expected the journal not to have been asked PUT exactly 0 times, but it was not",
  );
});

test("a failure of `not` lists those that were found", async () => {
  const { journal } = await asked();
  expect(failureOf(() => expect(journal).not.toHaveBeenAsked({ path: "/rest/orders" }))).toBe(
    "expected the journal not to have been asked /rest/orders, but it was once:\n  #4 GET /rest/orders → 404",
  );
});

test("a failure says that nothing was asked", async () => {
  const { journal } = await createEmulator({ fixtures });
  expect(failureOf(() => expect(journal).toHaveBeenAsked())).toBe(
    "expected the journal to have been asked anything, but it is empty",
  );
});

test("a failure shows no more than the closest five", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  for (let count = 0; count < 8; count++) await emulator.fetch("/rest/users");
  const lines = failureOf(() => expect(emulator.journal).toHaveBeenAsked({ status: 500 }));
  expect(lines.split("\n")).toHaveLength(7);
  expect(lines).toMatch(/\n {2}… and 3 more$/);
});

test("finds retries by what the client says", async () => {
  const { journal } = await asked();
  expect(journal).toHaveBeenRetried();
  expect(journal).toHaveBeenRetried({ path: "/rest/users", times: 1 });
  expect(failureOf(() => expect(journal).toHaveBeenRetried({ status: 201 }))).toContain(
    "\n  #2 POST /rest/users → 201: retryCount was 0, not 1 or more\n",
  );
});

test.each([
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, "body.a[1].b was 2, not 3"],
  [{ a: [1] }, { a: [1, 2] }, "body.a had 1 item, not 2"],
  [{ a: 1 }, { "b c": 1 }, 'body["b c"] was missing, not 1'],
  [{ a: 1 }, { toString: 1 }, "body.toString was missing, not 1"],
  [{ a: "x\ny" }, { a: "z" }, 'body.a was "x\\ny", not "z"'],
  [{ a: 1 }, { a: expect.any(String) }, "body.a was 1, not Any<String>"],
  [[1], { a: 1 }, 'body was [1], not {"a": 1}'],
])("of the body %j names the first place that differs from %j", async (sent, body, reason) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(sent) };
  await emulator.fetch("/rest/users", init);
  const failure = failureOf(() => expect(emulator.journal).toHaveBeenAsked({ body }));
  expect(failure.split("\n")[1]).toMatch(/^ {2}#1 POST /);
  expect(failure).toContain(`: ${reason}`);
});

test.each([
  [{ pat: "/x" }, 'there is no criterion "pat". Did you mean "path"?'],
  [{ constructor: 1 }, 'there is no criterion "constructor".'],
  [
    { path: "tables" },
    'path is "tables". Use a text that begins with "/", or a regular expression.',
  ],
  [{ interface: "table" }, 'interface is "table". Use "tables" or "chat".'],
  [{ times: -1 }, "times is -1. Use a whole number of 0 or more."],
  [{ status: "200" }, 'status is "200". Use a whole number.'],
  [null, "null is not an object."],
])("refuses the criteria %j, also behind `not`", async (criteria, problem) => {
  const { journal } = await createEmulator({ fixtures });
  const wrong = criteria as object;
  const assert = (): void => expect(journal).not.toHaveBeenAsked(wrong);
  expect(failureOf(assert)).toContain(`Cannot look for requests: ${problem}`);
});

test("refuses what is no journal", async () => {
  const emulator = await createEmulator({ fixtures });
  expect(failureOf(() => expect(emulator.chats).toHaveBeenAsked())).toMatch(
    /is not a journal. Pass the journal of an emulator or of a session/,
  );
});

test("can be asked again until a request is over", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const response = emulator.fetch("/rest/users");
  await expect.poll(() => emulator.journal).toHaveBeenAsked({ path: "/rest/users" });
  expect((await response).status).toBe(200);
});

test("looks for requests among those with bodies of any depth", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const body = "[".repeat(400_000) + "]".repeat(400_000);
  await emulator.fetch("/rest/users", { ...storing("0"), body });
  const { journal } = emulator;
  expect(journal).toHaveBeenAsked({ method: "POST", status: 400, body });
  expect(failureOf(() => expect(journal).toHaveBeenAsked({ body: { name: "Ada" } }))).toMatch(
    /body was "\[{100,}…, not/,
  );
});

const chats = [
  {
    name: "cut",
    when: { user: "cut" },
    reply: { content: "one two", fault: { kind: "cut", afterChunks: 2 } },
  },
  { name: "slow", when: { user: "slow" }, reply: { chunks: ["one", { wait: 60_000 }, "two"] } },
] as const;

function chat(content: string): RequestInit {
  const body = JSON.stringify({ model: "x", stream: true, messages: [{ role: "user", content }] });
  return { method: "POST", headers: { "content-type": "application/json" }, body };
}

/** An emulator that refused a request, broke off a stream, and is in the midst of another one. */
async function answered(): Promise<Emulator> {
  const emulator: Emulator = await createEmulator({
    fixtures: { ...fixtures, chats },
    auth: false,
  });
  await emulator.fetch("/rest/users/1");
  await emulator.fetch("/rest/orders");
  const cut = await emulator.fetch("/v1/chat/completions", chat("cut"));
  await cut.text();
  await emulator.fetch("/v1/chat/completions", chat("slow"));
  return emulator;
}

test.each<JournalCriteria | undefined>([
  undefined,
  { path: "/rest/users", status: 200, ended: "complete", body: { result: [{ name: "Ada" }] } },
  { ended: "refused", body: { code: "unknown_table" }, times: 1 },
  { interface: "chat", ended: "cut", body: expect.stringContaining('"content":"one"') },
  { interface: "chat", times: 1 },
  { ended: "pending", times: 0 },
])("finds what was answered: %j", async (criteria) => {
  const { journal } = await answered();
  expect(journal).toHaveBeenAnswered(criteria);
  expect(() => expect(journal).not.toHaveBeenAnswered(criteria)).toThrow(/journal not to have/);
});

test("a request under way was asked, and not answered", async () => {
  const { journal } = await answered();
  expect(journal).toHaveBeenAsked({ interface: "chat", ended: "pending", body: { stream: true } });
  const criteria = { body: { stream: true } };
  expect(
    failureOf(() => expect(journal).toHaveBeenAnswered({ ...criteria, interface: "chat" })),
  ).toContain("  #4 POST /v1/chat/completions → 200 pending: body was ");
});

test("a failure tells how the closest answers differ", async () => {
  const { journal } = await answered();
  const criteria = {
    path: "/rest/users",
    ended: "complete",
    body: { result: [{ name: "Eva" }] },
  } as const;
  expect(
    failureOf(() => expect(journal).toHaveBeenAnswered(criteria))
      .split("\n")
      .slice(0, 3),
  ).toEqual([
    'expected the journal to have been answered /rest/users, ended complete, body {"result": [{"name": "Eva"}]}, but it was not. The closest requests:',
    '  #1 GET /rest/users/1 → 200: body.result[0].name was "Ada", not "Eva"',
    expect.stringMatching(
      /^ {2}#2 GET \/rest\/orders → 404: path was .*; ended was refused, not complete; body/,
    ),
  ]);
});

test("shows what a client sent without what a terminal obeys", async () => {
  const emulator = await createEmulator({ auth: false });
  const name = "x\u001B]0;owned\u0007\u202E";
  await emulator.fetch("/rest/users", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  const fail = (): void => expect(emulator.journal).toHaveBeenAsked({ body: { name: "y" } });
  expect(fail).toThrow(String.raw`x\u001b]0;owned\u0007\u202e`);
});
