import { expect, test } from "vitest";
import { nodeExtras } from "../../../src/fronts/node/extras.ts";
import { emulatorFrom, fixtureSetFrom } from "../../../src/core/emulator/emulator.ts";
import type { SharedTables } from "../../../src/core/emulator/sockets/shared-tables.ts";
import { call } from "../../support/calls.ts";

const fixtures = {
  tables: { notes: { rows: [{ id: 1, text: "first" }] } },
  chats: [{ reply: { content: "hello" } }],
};

/** Tables that are nowhere to be had. */
const away: SharedTables = {
  read: () => Promise.reject(new Error("away")),
  write: () => Promise.reject(new Error("away")),
  unreachable: () => "The tables are away.",
  advice: { sessions: "Ask one at a time.", imports: "Keep them elsewhere." },
};

interface Given {
  readonly token?: string;
  readonly origin?: string;
}

/** The answer to a caller from another process, while the tables are away. */
async function answerTo(line: string, { token = "wrong", origin }: Given) {
  const settings = { controlToken: "open-sesame", apiKeys: ["open"] };
  const set = await fixtureSetFrom(fixtures, settings);
  const { core } = await emulatorFrom(set, settings, {
    extras: nodeExtras,
    sharedTables: away,
  });
  const [method = "", path = ""] = line.split(" ");
  const headers = {
    host: "localhost",
    authorization: `Bearer ${token}`,
    ...(origin === undefined ? {} : { origin }),
  };
  const { reply } = await core.handle(call(method, path, { headers }));
  return { status: reply.status, text: JSON.stringify(reply.body) };
}

function keyOf(line: string): string {
  return line.includes("/rest/") ? "local-token" : "open";
}

const controlLines = [
  "GET /__backlot/tables/notes",
  "PUT /__backlot/tables/notes",
  "GET /__backlot/state",
  "POST /__backlot/reset",
  "PUT /__backlot/snapshots/one",
];

test.each(controlLines)("the wrong token is refused before the tables: %s", async (line) => {
  const stranger = await answerTo(line, {});
  expect(stranger.status).toBe(403);
  expect(stranger.text).not.toContain("away");
  expect((await answerTo(line, { token: "open-sesame" })).status).toBe(503);
});

test("a page of another origin is refused before the tables", async () => {
  const given = { token: "open-sesame", origin: "https://other.example" };
  expect((await answerTo("GET /__backlot/tables/notes", given)).status).toBe(403);
});

test("a session's control call says that there are none, and not how the tables are", async () => {
  const token = "open-sesame";
  const answer = await answerTo("GET /@mine/__backlot/tables/notes", { token });
  expect(answer.status).toBe(400);
  expect(answer.text).not.toContain("away");
});

test.each(["GET /rest/notes", "POST /rest/notes", "POST /v1/chat/completions", "GET /v1/models"])(
  "the wrong key is refused before the tables: %s",
  async (line) => {
    const stranger = await answerTo(line, {});
    expect(stranger.status).toBe(401);
    expect(stranger.text).not.toContain("away");
    expect((await answerTo(line, { token: keyOf(line) })).status).toBe(503);
  },
);
