import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/index.ts";
import { answered, reading, recordedFixtures } from "../../support/cassettes.ts";
import { answering, startRecording, startService } from "./recording-proxy.ts";

const script = '<script>fetch("/__backlot/reset", { method: "POST" })</script>';
const sandbox = { "content-security-policy": "sandbox", "x-content-type-options": "nosniff" };
const plain = { "content-security-policy": null, "x-content-type-options": null };

/** The URL of rows that a cassette answers with this. */
async function replayed(headers: Record<string, string>): Promise<string> {
  const answer = answered({ headers, body: { text: script } });
  const fixtures = recordedFixtures({ tables: [[reading("/users"), answer]] });
  const server = await startServer(await createEmulator({ fixtures }), { port: 0 });
  onTestFinished(() => server.close());
  return `${server.url}/rest/users`;
}

async function proxied(headers: Record<string, string>): Promise<string> {
  const service = await startService(answering(headers, script));
  return `${(await startRecording({ tables: service })).tablesUrl}/users`;
}

async function headersOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  expect(await response.text()).toBe(script);
  return Object.fromEntries(Object.keys(sandbox).map((name) => [name, response.headers.get(name)]));
}

for (const [place, served] of Object.entries({ "a recording": replayed, "a service": proxied })) {
  test.each([
    "text/html; charset=utf-8",
    "application/xhtml+xml",
    "image/svg+xml",
    "text/xml",
    "multipart/x-mixed-replace; boundary=x",
    "application/jsonp",
    "jsonish",
    "",
  ])(`a page of ${place} is sandboxed, whoever asks for it: %j`, async (type) => {
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    expect(await headersOf(await served(headers))).toEqual(sandbox);
  });

  test.each(["application/json", "application/problem+json", "text/event-stream", "text/plain"])(
    `what a program reads of ${place} keeps its headers, what a browser opens is sandboxed: %s`,
    async (type) => {
      const headers = { "content-type": type };
      expect(await headersOf(await served(headers))).toEqual(plain);
      const opened = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };
      expect(await headersOf(await served(headers), opened)).toEqual(sandbox);
      const far = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
      expect(await headersOf(await served(headers), far)).toEqual(sandbox);
    },
  );
}

test("the policy of a recorded page holds beside the sandbox", async () => {
  const own = { "content-type": "text/html", "content-security-policy": "sandbox allow-scripts" };
  const { "content-security-policy": policy } = await headersOf(await replayed(own));
  expect(policy).toBe("sandbox allow-scripts, sandbox");
});

test("a recording opens no sessions to callers without a key", async () => {
  const answer = answered({ body: { text: script } });
  const fixtures = recordedFixtures({ tables: [[reading("/users"), answer]] });
  const emulator = await createEmulator({ fixtures, maxSessions: 1 });
  const server = await startServer(emulator, { port: 0 });
  onTestFinished(() => server.close());
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(server.url + path, { headers });
  const ids = (): unknown => emulator.core.sessions.list().map(({ id }) => id);
  for (const header of ["authorization", "api-key", "x-api-key"]) {
    expect((await ask(`/@${header}/rest/users`, { [header]: "real-key" })).status).toBe(200);
    expect(ids()).toEqual([header]);
  }
  const strangers = [{}, { cookie: "session=1" }, { "x-tenant": "acme" }, { authorization: "" }];
  for (const headers of strangers) {
    expect((await ask("/@x1/rest/users", headers)).status).toBe(200);
    await ask("/rest/users", { ...headers, "x-backlot-session": "x2" });
  }
  expect(ids()).toEqual(["x-api-key"]);
});
