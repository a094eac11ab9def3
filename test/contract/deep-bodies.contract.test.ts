import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { readUntil } from "../support/read-stream.ts";
import { ask, send } from "../support/requests.ts";

const local = { token: null, headers: { host: "localhost" } };
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

contract(
  "answers, tells and lists bodies of any depth while somebody watches",
  async (transport) => {
    await using service = await transport.open({ tables: { users: [] } });
    const live = await send(service, "GET /__backlot/requests/live?bodies=true", local);
    const bodies = [5000, 400_000].flatMap((levels) => [
      { path: "/rest/users", body: `{"name":${nested(levels)}}` },
      { path: "/v1/chat/completions", body: `{"model":"x","messages":${nested(levels)}}` },
    ]);
    for (const { path, body } of bodies) {
      const { status, text } = await ask(service, `POST ${path}`, { body });
      expect([status, text]).toEqual([400, expect.stringContaining("1000 levels")]);
    }
    await ask(service, "GET /rest/users?last=1");
    const reader = live.body?.getReader();
    const told = reader === undefined ? "" : await readUntil(reader, "\nid: 5\n");
    await reader?.cancel();
    const listed = await ask(service, "GET /__backlot/requests", local);
    const archived = await ask(service, "GET /__backlot/requests?format=har", local);
    for (const text of [told, listed.text, archived.text]) {
      for (const { body } of bodies) expect(text.includes(JSON.stringify(body))).toBe(true);
    }
    expect([...told.matchAll(/^event: request\nid: (\d)$/gm)].map(([, id]) => id)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
    ]);
  },
);
