import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { fixedClock } from "../support/contract-chats.ts";
import { ask } from "../support/requests.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
/** Callers come from this machine, as the Host says. */
const local = { headers: { host: "localhost" }, token: null };

contract("a session begins as a snapshot that another one took", async (transport) => {
  await using service = await transport.open(fixtures, { seed: 1, clock: fixedClock });
  await ask(service, "POST /@builder/rest/users", { json: { name: "Grace" } });
  const taken = await ask(service, "PUT /@builder/__backlot/snapshots/two%20users", local);
  await ask(service, "DELETE /@builder/rest/users/1");
  const json = { from: "two users", clock: "2020-01-01T00:00:00Z" };
  const begun = await ask(service, "PUT /__backlot/sessions/one", { json, ...local });
  expect([taken.status, begun.status]).toEqual([204, 204]);
  const { body } = await ask(service, "GET /@one/rest/users");
  expect(body).toMatchObject({ result: [{ name: "Ada" }, { name: "Grace" }] });
  const listed = await ask(service, "GET /__backlot/snapshots", local);
  expect(listed.body).toMatchObject({ snapshots: [{ name: "two users", tables: 1, rows: 2 }] });
});

contract("a session goes back to a snapshot", async (transport) => {
  await using service = await transport.open(fixtures, { seed: 1, clock: fixedClock });
  await ask(service, "PUT /__backlot/snapshots/before", local);
  await ask(service, "DELETE /rest/users/1");
  const restored = await ask(service, "POST /__backlot/snapshots/before/restore", local);
  expect(restored.status).toBe(204);
  expect((await ask(service, "GET /rest/users")).body).toMatchObject({ result: [{ id: 1 }] });
  await ask(service, "DELETE /__backlot/snapshots/before", local);
  const gone = await ask(service, "POST /__backlot/snapshots/before/restore", local);
  expect([gone.status, gone.text]).toEqual([404, expect.stringContaining("unknown_snapshot")]);
});
