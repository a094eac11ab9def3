import { expect } from "vitest";
import { ask } from "../../support/requests.ts";
import { ownServer } from "../../support/postgres/server.ts";
import { sharedEmulator } from "./shared-emulator.ts";
import { serverTest } from "./with-server.ts";

const fixtures = {
  tables: { notes: { rows: [{ id: 1, text: "first" }] } },
  chats: [{ reply: { content: "hello" } }],
};

serverTest(
  "a server that is killed is told of once, answered 503, and found again",
  async () => {
    const server = await ownServer();
    const told: string[] = [];
    const events = {
      lost: (message: string) => told.push(message),
      found: () => told.push("found"),
    };
    const emulator = await sharedEmulator(server.url, { fixtures, events });
    await ask(emulator, "POST /rest/notes", { json: { text: "kept" } });

    await server.kill();
    const read = await ask(emulator, "GET /rest/notes");
    const written = await ask(emulator, "POST /rest/notes", { json: { text: "lost" } });
    const json = { model: "m", messages: [{ role: "user", content: "hi" }] };
    const chat = await ask(emulator, "POST /v1/chat/completions", { json });
    const rows = await ask(emulator, "GET /__backlot/tables/notes");
    expect([read, written, chat, rows].map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(read.body).toEqual({
      error: expect.stringContaining("which does not answer"),
      code: "tables_unavailable",
    });
    expect(read.headers.get("access-control-allow-origin")).toBe("*");
    expect(chat.body).toMatchObject({
      error: { type: "server_error", code: "tables_unavailable" },
    });
    expect(rows.body).toEqual({
      error: {
        code: "tables_unavailable",
        message: expect.stringContaining("which does not answer"),
      },
    });
    expect(read.text + chat.text + rows.text).not.toContain("5433");
    const stranger = await ask(emulator, "GET /rest/notes", {
      headers: { authorization: "Bearer wrong" },
    });
    expect(stranger.status).toBe(401);
    expect((await ask(emulator, "GET /__backlot/health")).status).toBe(200);
    expect(told).toEqual([expect.stringMatching(/:5433\/.* which does not answer/)]);

    await server.start();
    const { body } = await ask(emulator, "GET /rest/notes");
    expect(body).toEqual({
      result: [
        { id: 1, text: "first" },
        { id: 2, text: "kept" },
      ],
    });
    const again = await ask(emulator, "POST /rest/notes", { json: { text: "again" } });
    expect(again.status).toBe(201);
    expect(told.slice(1)).toEqual(["found"]);
  },
  60_000,
);
