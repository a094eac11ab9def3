import { once } from "node:events";
import { createServer, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { proxyFrom } from "../../../src/fronts/node/upstream/proxy.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { answering, startService } from "../node/recording-proxy.ts";
import { spawnBacklot } from "./backlot-process.ts";

const answerAlike = answering({ "content-type": "application/json" }, '{"result":[]}');
const tls = (name: string): string =>
  fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url));

/** A proxy that notes what it passes on. */
async function startProxy(): Promise<{ readonly url: string; readonly passed: string[] }> {
  const passed: string[] = [];
  const server = createServer((incoming, response) => {
    const { method, url = "", headers } = incoming;
    passed.push(`${method} ${url} for ${headers.host}`);
    // Every name leads to this machine.
    const { port, pathname, search } = new URL(url);
    const target = { host: "127.0.0.1", port, path: pathname + search };
    const onward = request({ ...target, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on("connect", ({ url = "" }, socket, head) => {
    passed.push(`CONNECT ${url}`);
    const onward = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on("error", () => undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed };
}

/** What a recorder answers that runs in an environment. */
async function askThrough(service: string, env: Record<string, string>): Promise<unknown[]> {
  const { path: cwd } = await temporaryFolder({});
  const args = ["record", "--tables-upstream", service, "--port", "0", "--log", "json"];
  const { written, signal, exit } = spawnBacklot(args, { cwd, env });
  const [, url = ""] = await written(/"tablesUrl":"([^"]+)"/);
  const answer = await fetch(`${url}/users?a=1`);
  const seen = [answer.status, await answer.text()];
  signal("SIGINT");
  await exit;
  return seen;
}

test("asks a service with its own certificate authority through a proxy", async () => {
  const [cert, key] = [await readFile(tls("certificate.pem")), await readFile(tls("key.pem"))];
  const service = createSecureServer({ cert, key }, answerAlike);
  await once(service.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => service.close().closeAllConnections());
  const { port } = service.address() as AddressInfo;
  const { url, passed } = await startProxy();
  const env = { HTTPS_PROXY: url, NODE_EXTRA_CA_CERTS: tls("certificate.pem") };
  const upstream = `https://service.test:${port}`;
  expect(await askThrough(upstream, env)).toEqual([200, '{"result":[]}']);
  expect(passed).toEqual([`CONNECT service.test:${port}`]);
  expect(await askThrough(upstream, { HTTPS_PROXY: url })).toMatchObject([
    502,
    expect.stringContaining("self-signed certificate"),
  ]);
});

test("asks a service without encryption through a proxy that need not tunnel", async () => {
  const { port } = new URL(await startService(answerAlike));
  const { url, passed } = await startProxy();
  const service = `http://service.test:${port}`;
  expect(await askThrough(service, { HTTP_PROXY: url })).toEqual([200, '{"result":[]}']);
  expect(passed).toEqual([`GET ${service}/users?a=1 for service.test:${port}`]);
});

test("asks a service on this machine without a proxy", async () => {
  const service = await startService(answerAlike);
  const { url, passed } = await startProxy();
  const env = { HTTP_PROXY: url, http_proxy: url, ALL_PROXY: url, NODE_USE_ENV_PROXY: "1" };
  expect(await askThrough(service, env)).toEqual([200, '{"result":[]}']);
  expect(passed).toEqual([]);
});

test.each([
  ["https://api.test/v1", { HTTPS_PROXY: "http://p:1" }, "http://p:1"],
  ["https://api.test/v1", { https_proxy: "p:1" }, "http://p:1"],
  ["https://api.test/v1", { HTTP_PROXY: "http://p:1" }, undefined],
  ["http://api.test/v1", { HTTP_PROXY: "http://p:1", NO_PROXY: "other.test, test" }, undefined],
  ["http://api.test/v1", { HTTP_PROXY: "http://p:1", NO_PROXY: ".api.test:81" }, "http://p:1"],
  ["http://api.test/v1", { HTTP_PROXY: "http://p:1", no_proxy: "*" }, undefined],
  ["http://127.0.0.1:4010/v1", { HTTP_PROXY: "http://p:1" }, undefined],
  ["http://127.9.9.9/v1", { http_proxy: "http://p:1" }, undefined],
  ["https://localhost:4010/v1", { HTTPS_PROXY: "http://p:1" }, undefined],
  ["http://app.localhost/v1", { HTTP_PROXY: "http://p:1" }, undefined],
  ["http://[::1]:4010/v1", { HTTP_PROXY: "http://p:1" }, undefined],
])("for %s, %j names the proxy %s", (service, env, proxy) => {
  expect(proxyFrom(env)(new URL(service))).toBe(proxy);
});
