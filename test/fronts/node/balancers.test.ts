import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/index.ts";
import { realBalancers } from "../../support/balancers.ts";

for (const { name, missing } of realBalancers) {
  if (missing === undefined) continue;
  // oxlint-disable-next-line no-console
  console.warn(`SKIPPED: ${name} is not installed (apt-get install ${missing}).`);
}

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

async function served(): Promise<{ emulator: Emulator; port: number }> {
  const emulator = await createEmulator({ fixtures, auth: false });
  const { port, close } = await startServer(emulator, { port: 0 });
  onTestFinished(close);
  return { emulator, port };
}

/** Sends a request whose target no client changes. Resolves to the status. */
async function send(port: number, target: string, session?: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  const header = session === undefined ? "" : `x-backlot-session: ${session}\r\n`;
  socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${header}\r\n`);
  return Number(/^HTTP\/1\.\d (\d+)/.exec(await text(socket))?.[1]);
}

/** Ways to write a name, some of which only look like it: a target, and a header. */
const ways: readonly ((id: string) => readonly [target: string, session?: string])[] = [
  (id) => [`/@${id}/rest/users`],
  (id) => ["/rest/users", id],
  (id) => [`/@${id}/rest/users?x=/@other/`],
  (id) => [`/@${id}?x`],
  (id) => [`/@${id}`, "other"],
  (id) => [`/%40${id}/rest/users`],
  (id) => [`//@${id}/rest/users`],
  (id) => [`/@${id}//rest/users`],
  (id) => ["/@/rest/users", id],
  (id) => [`/v1/../@${id}/rest/users`],
  (id) => [`/v1/%2e%2E/@${id}/rest/users`],
  (id) => [`/./@${id}/rest/users`],
  (id) => [`/@${id}/../rest/users`],
  (id) => [`/@other/../@${id}/rest/users`],
  (id) => [`/@${id}/./rest/users`],
  (id) => [`/\\@${id}/rest/users`],
  (id) => [`/@${id}\\rest/users`],
  (id) => [`http://localhost/@${id}/rest/users`],
  (id) => [`/rest/users?/@${id}/`],
  (id) => [`/@${id}%2Fb/rest/users`],
  (id) => ["/rest/users", `${id}/b`],
  (id) => [`/@${id}/b/rest/users`],
  (id) => [`/@${id}%20c/rest/users`],
  (id) => ["/rest/users", `${id} c`],
  (id) => [`/@${id}!/rest/users`],
  (id) => [`/@${id}%21/rest/users`],
  (id) => [`/@%${id.charCodeAt(0).toString(16)}${id.slice(1)}/rest/users`],
  (id) => [`/@%${id.charCodeAt(0).toString(16)}${id.slice(1)}/../@other/rest/users`],
  (id) => [`/@%${id.charCodeAt(0).toString(16)}${id.slice(1)}%2Fb/rest/users`],
  (id) => [`/@%${id.charCodeAt(0).toString(16)}${id.slice(1)}\\..\\@other/rest/users`],
  (id) => [`/@${id}%2Db/rest/users`],
  (id) => ["/rest/users", `${id}-b`],
  (id) => [`/@${id}%zz/rest/users`],
  (id) => [`/@${id}%C3%A4/rest/users`],
];

/** The ids that need no encoding. */
function plain(ids: readonly unknown[] = []): readonly unknown[] {
  return ids.filter((id) => /^x\d+$/.test(String(id)));
}

for (const { name, missing, start } of realBalancers) {
  test.skipIf(missing !== undefined)(
    `${name} sends each session to one process, however its name is written`,
    async () => {
      const [one, two] = [await served(), await served()];
      const port = await start([one.port, two.port]);
      for (let count = 1; count <= 12; count++) {
        for (const way of ways) await send(port, ...way(`x${count}`));
      }
      const [ofOne, ofTwo] = [one, two].map(({ emulator }) =>
        emulator.core.sessions.list().map(({ id }) => id),
      );
      expect(ofOne?.filter((id) => ofTwo?.includes(id))).toEqual([]);
      // Plain names are spread, and requests without one change the base session of one process.
      expect([plain(ofOne).length > 0, plain(ofTwo).length > 0]).toEqual([true, true]);
      expect(plain([...(ofOne ?? []), ...(ofTwo ?? [])])).toHaveLength(12);
      const base = [one, two].filter(({ emulator }) => emulator.journal.list().length > 0);
      expect(base).toHaveLength(1);
    },
    30_000,
  );
}

test("dots lead into no other session than the one that stands at the beginning", async () => {
  const { emulator, port } = await served();
  for (const target of ["/@b/../@a/rest/users", "/@b/../rest/users", "/@b/%2e%2E/@a/rest/users"]) {
    expect([target, await send(port, target)]).toEqual([target, 400]);
  }
  expect(await send(port, "/v1/../@a/rest/users")).toBe(404);
  expect(emulator.core.sessions.list()).toEqual([]);
  expect(await send(port, "/@c/v1/../rest/users")).toBe(200);
  expect(emulator.core.sessions.list().map(({ id }) => id)).toEqual(["c"]);
});
