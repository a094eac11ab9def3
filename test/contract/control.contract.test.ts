import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels, fixedClock } from "../support/contract-chats.ts";
import { ask } from "../support/requests.ts";

const fixtures = {
  models: contractModels,
  tables: {
    users: {
      columns: { id: "INTEGER", name: { type: "TEXT", notNull: true }, big: "INTEGER" },
      rows: [
        { id: 1, name: "Ada", big: "9007199254740993" },
        { id: 2, name: "Alan" },
      ],
    },
    notes: {
      columns: { id: "INTEGER", user_id: { type: "INTEGER", references: "users.id" } },
      rows: [{ id: 1, user_id: 2 }],
    },
  },
  chats: [
    { name: "count", replies: [{ content: "one" }, { content: "two" }, { content: "three" }] },
  ],
};
const fixed = { seed: 7, clock: fixedClock } as const;
/** Where callers come from this machine, as the Host says. */
const local = { headers: { host: "localhost" } };

contract(
  "a state that is taken out and put in again is the same, byte for byte",
  async (transport) => {
    await using service = await transport.open(fixtures, fixed);
    await ask(service, "POST /rest/users", { json: { name: "Grace" } });
    await ask(service, "DELETE /rest/users/3");
    await ask(service, completions, { json: asking("Hi") });
    const out = await ask(service, "GET /__backlot/state", { ...local, token: null });
    await ask(service, "POST /__backlot/reset", { ...local, token: null });
    const put = await ask(service, "PUT /__backlot/state", {
      json: out.body,
      ...local,
      token: null,
    });
    const again = await ask(service, "GET /__backlot/state", { ...local, token: null });
    expect([out.status, put.status]).toEqual([200, 204]);
    expect(again.text).toBe(out.text);
    expect((await ask(service, completions, { json: asking("Hi") })).text).toContain("two");
    expect(out.text).not.toContain("local-token");
  },
);

contract("a reset goes back to the fixtures from a state that was put in", async (transport) => {
  await using service = await transport.open(fixtures, fixed);
  const json = { tables: { others: [{ id: 5 }] }, models: [], chats: [] };
  await ask(service, "PUT /__backlot/state", { json, ...local, token: null });
  const during = await ask(service, "GET /rest/others");
  await ask(service, "POST /__backlot/reset", { ...local, token: null });
  const after = await ask(service, "GET /rest/users?id=1");
  expect(during.body).toEqual({ result: [{ id: 5 }] });
  expect(after.status).toBe(200);
  expect((await ask(service, "GET /rest/others")).status).toBe(404);
});

contract(
  "a table's rows can be replaced, and rows that do not fit change nothing",
  async (transport) => {
    await using service = await transport.open(fixtures, fixed);
    const put = (json: unknown): ReturnType<typeof ask> =>
      ask(service, "PUT /__backlot/tables/users", { json, ...local, token: null });
    const missing = await put([{ id: 2 }]);
    const referred = await put([{ id: 1, name: "Ada" }]);
    expect([missing.status, referred.status]).toEqual([400, 400]);
    expect(await service.inside.rows("users")).toHaveLength(2);
    expect((await put([{ id: 2, name: "Alan" }])).status).toBe(204);
    const { body } = await ask(service, "GET /rest/users");
    expect(body).toEqual({ result: [{ id: 2, name: "Alan", big: null }] });
  },
);

contract("a session has a control API of its own, by path and by header", async (transport) => {
  await using service = await transport.open(fixtures, fixed);
  const json = { name: "own", reply: { content: "mine" } };
  await ask(service, "POST /@one/__backlot/chats", { json, ...local, token: null });
  const headers = { ...local.headers, "x-backlot-session": "one" };
  const named = await ask(service, "GET /__backlot/chats", { headers, token: null });
  const base = await ask(service, "GET /__backlot/chats", { ...local, token: null });
  expect(named.text).toContain("own");
  expect(base.text).not.toContain("own");
  const sessions = await ask(service, "GET /__backlot/sessions", { ...local, token: null });
  expect(sessions.body).toMatchObject({ sessions: [{ id: "one" }] });
});

contract("the journal tells what was asked, and no key", async (transport) => {
  await using service = await transport.open(fixtures, fixed);
  await ask(service, "GET /rest/users?id=1");
  await ask(service, completions, { json: asking("Hi") });
  const { body, text } = await ask(service, "GET /__backlot/requests?interface=chat", {
    ...local,
    token: null,
  });
  expect(body).toMatchObject({
    requests: [{ id: "2", path: "/v1/chat/completions", answeredBy: 'script "count" reply 1' }],
  });
  expect(text).not.toContain("local-token");
});

contract("a reset of one part leaves the others alone", async (transport) => {
  await using service = await transport.open(fixtures, fixed);
  await ask(service, "POST /rest/users", { json: { name: "Grace" } });
  await ask(service, completions, { json: asking("Hi") });
  const json = { scope: ["tables"] };
  const reset = await ask(service, "POST /__backlot/reset", { json, ...local, token: null });
  expect(reset.status).toBe(204);
  expect(await service.inside.rows("users")).toHaveLength(2);
  expect((await ask(service, completions, { json: asking("Hi") })).text).toContain("two");
});

contract("is not there below a mount point", async (transport) => {
  await using service = await transport.open(fixtures, fixed);
  expect((await ask(service, "GET /v1/__backlot/health")).status).toBe(404);
});
