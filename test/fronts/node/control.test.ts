import { type OutgoingHttpHeaders, request } from "node:http";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";

/** The status of a GET with these headers, `host` included, which `fetch` would not send. */
function statusOf(port: number, path: string, headers: OutgoingHttpHeaders): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", path, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    asked.on("error", reject).end();
  });
}

test.each([
  [{ host: "127.0.0.1" }, 200],
  [{ host: "backlot.localhost:4010" }, 200],
  [{ host: "evil.example" }, 403],
  [{ host: "127.0.0.1", origin: "https://evil.example" }, 403],
])("with the headers %j the control API answers %i", async (headers, status) => {
  const server = await startServer(await createEmulator(), { port: 0 });
  try {
    expect(await statusOf(server.port, "/__backlot/requests", headers)).toBe(status);
    expect(await statusOf(server.port, "/__backlot/health", headers)).toBe(200);
  } finally {
    await server.close();
  }
});

test("with a control token nobody gets in without it, and anybody with it", async () => {
  const emulator = await createEmulator({ controlToken: "open-sesame" });
  const server = await startServer(emulator, { port: 0 });
  try {
    const without = await statusOf(server.port, "/__backlot/state", { host: "127.0.0.1" });
    const headers = { host: "ci.example", authorization: "Bearer open-sesame" };
    const withToken = await statusOf(server.port, "/__backlot/state", headers);
    expect([without, withToken]).toEqual([403, 200]);
  } finally {
    await server.close();
  }
});
