import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";

test("scripts of eight megabytes in many sessions and snapshots end no process with a heap of 512 MB", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": { tables: { users: [{ id: 1 }] } } });
  const env = { NODE_OPTIONS: "--max-old-space-size=512" };
  const backlot = spawnBacklot(["--no-auth", "--port", "0", "--log", "json"], { cwd, env });
  const [line] = await backlot.written(/^\{"event":"ready".*\}$/m);
  const { url } = JSON.parse(line);
  const content = "x".repeat(8_000_000);
  const headers = { "content-type": "application/json" };
  const add = async (session: number): Promise<number> => {
    const body = JSON.stringify({ when: { user: "hello" }, reply: { content } });
    const response = await fetch(`${url}/@s${session}/__backlot/chats`, {
      method: "POST",
      headers,
      body,
    });
    await response.text();
    await fetch(`${url}/@s${session}/__backlot/snapshots/s${session}`, { method: "PUT" });
    return response.status;
  };
  const statuses: number[] = [];
  for (let session = 0; session < 40; session++) statuses.push(await add(session));
  expect(statuses).toEqual(statuses.map((_, at) => (at < 12 ? 201 : 507)));
  const chat = { model: "m", messages: [{ role: "user", content: "hello" }] };
  const asked = await fetch(`${url}/@s3/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify(chat),
  });
  expect(await asked.text()).toContain(content);
  for (let session = 0; session < 12; session++) {
    await fetch(`${url}/__backlot/sessions/s${session}`, { method: "DELETE" });
    await fetch(`${url}/__backlot/snapshots/s${session}`, { method: "DELETE" });
  }
  expect(await add(0)).toBe(201);
});
