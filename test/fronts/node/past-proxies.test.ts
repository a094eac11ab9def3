import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EnvHttpProxyAgent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { expect, onTestFinished, test, vi } from "vitest";
import { spawnBacklot } from "../cli/backlot-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { served } from "./served-remote.ts";

/** A proxy that refuses everything, and counts. */
async function startProxy(): Promise<{ readonly env: Record<string, string>; asked: number }> {
  const proxy = { env: {}, asked: 0 };
  const server = createServer((_, response) => {
    proxy.asked++;
    response.writeHead(502).end();
  });
  server.on("connect", (_, socket) => {
    proxy.asked++;
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "npm_config_proxy"];
  const lower = names.map((name) => name.toLowerCase());
  const variables = [...names, ...lower].map((name) => [name, url] as const);
  proxy.env = { ...Object.fromEntries(variables), NODE_USE_ENV_PROXY: "1" };
  return proxy;
}

/** Makes the fetch of this process ask the proxy, as newer Nodes do by themselves. */
function useProxy(env: Readonly<Record<string, string>>): void {
  const before = getGlobalDispatcher();
  for (const [name, value] of Object.entries({ ...env, NO_PROXY: "", no_proxy: "" })) {
    vi.stubEnv(name, value);
  }
  setGlobalDispatcher(new EnvHttpProxyAgent());
  onTestFinished(() => {
    vi.unstubAllEnvs();
    setGlobalDispatcher(before);
  });
}

test("a connection to a server on this machine asks no proxy", async () => {
  const { remote, url } = await served();
  const proxy = await startProxy();
  useProxy(proxy.env);
  // What the variables do to others: some Nodes ask for a tunnel, and fail.
  await fetch(`${url}/rest/users`).catch(() => undefined);
  expect(proxy.asked).toBe(1);
  const session = remote.session("mine");
  expect(await session.tables.users.rows()).toEqual([{ id: 1, name: "Ada" }]);
  expect((await session.fetch("/rest/users")).status).toBe(200);
  const posted = new Request("http://x.test/rest/users", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Grace" }),
  });
  expect((await session.fetch(posted)).status).toBe(201);
  expect(await session.journal.list()).toHaveLength(2);
  expect(proxy.asked).toBe(1);
});

test.for([
  ["export", (url: string) => ["--url", url]],
  ["verify", (url: string) => ["users.json", "--against", `${url}/v1`]],
] as const)("backlot %s asks a server on this machine without a proxy", async ([command, args]) => {
  const { url } = await served();
  const proxy = await startProxy();
  const { path: cwd } = await temporaryFolder({
    "users.json":
      '{ "tables": { "users": [] }, "chats": [{ "when": { "user": "hello" }, "reply": { "content": "Hi." } }] }',
  });
  const setup = new URL("../../support/through-proxy.mjs", import.meta.url);
  const env = { ...proxy.env, NODE_OPTIONS: `--import=${setup.href}` };
  const { exit, out } = spawnBacklot([command, ...args(url)], { cwd, env });
  await exit;
  expect(out()).toContain(command === "export" ? "Ada" : "6 requests compared, no drift");
  expect(proxy.asked).toBe(0);
});
