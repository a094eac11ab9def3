import { createServer as createFileServer, type OutgoingHttpHeaders, request } from "node:http";
import * as http2 from "node:http2";
import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator, type EmulatorSettings } from "../../../src/index.ts";
import { connect, middleware, startServer } from "../../../src/fronts/node/index.ts";

interface Place {
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
}

/** The status of a GET that says it is for this machine, whatever address it goes to. */
function statusAt(place: Place, path: string, headers: OutgoingHttpHeaders = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { ...place, path, headers: { host: "localhost", ...headers } };
    const asked = request(options, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    asked.on("error", reject).end();
  });
}

/** An address of this machine by which others reach it, where it has one. */
const outer = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

async function served(host: string, settings: EmulatorSettings = {}) {
  const emulator = await createEmulator({ auth: false, ...settings });
  const server = await startServer(emulator, { port: 0, host });
  onTestFinished(server.close);
  return server;
}

test.skipIf(outer === undefined)(
  "refuses the control API to a caller from another machine, whatever Host it names",
  async () => {
    const { port } = await served("0.0.0.0");
    const place = { port, host: outer ?? "" };
    const near = { port, host: "127.0.0.1" };
    expect(await statusAt(place, "/__backlot/state")).toBe(403);
    expect(await statusAt(place, "/@one/__backlot/state")).toBe(403);
    expect(await statusAt(place, "/__backlot/health")).toBe(200);
    expect(await statusAt(place, "/v1/models")).toBe(200);
    expect(await statusAt(near, "/__backlot/state")).toBe(200);
  },
);

test.skipIf(outer === undefined)("answers a caller from beyond with the token", async () => {
  const { port } = await served("0.0.0.0", { controlToken: "open-sesame" });
  const headers = { authorization: "Bearer open-sesame" };
  expect(await statusAt({ port, host: outer ?? "" }, "/__backlot/state", headers)).toBe(200);
});

test.skipIf(outer === undefined)("refuses a caller from beyond over HTTP/2, too", async () => {
  const answer = middleware(await createEmulator({ auth: false }));
  const server = http2.createServer((asked, response) => {
    // What node:http2 gives passes for the objects of node:http.
    answer(...([asked, response, () => undefined] as unknown as Parameters<typeof answer>));
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const statusOf = (host: string): Promise<unknown> =>
    new Promise((resolve) => {
      const client = http2.connect(`http://${host}:${port}`);
      const stream = client.request({ ":path": "/__backlot/state", ":authority": "localhost" });
      stream.resume().on("response", (headers) => resolve(headers[":status"]));
      stream.on("close", () => client.close()).end();
    });
  expect([await statusOf(outer ?? ""), await statusOf("127.0.0.1")]).toEqual([403, 200]);
});

test.skipIf(process.platform === "win32")(
  "takes a caller over a socket of the file system for one of this machine",
  async () => {
    const answer = middleware(await createEmulator({ auth: false }));
    const server = createFileServer((asked, response) => answer(asked, response, () => undefined));
    const socketPath = join(tmpdir(), `backlot-${process.pid}.sock`);
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    onTestFinished(() => void server.close());
    expect(await statusAt({ socketPath }, "/__backlot/state")).toBe(200);
  },
);

/** Whether this machine has addresses of a kind. */
function canListen(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on("error", () => resolve(false));
    server.listen(0, host, () => server.close(() => resolve(true)));
  });
}

test.each(["0.0.0.0", "::"])(
  "a server that listens at %s gives a URL at which it answers",
  async (host) => {
    if (!(await canListen(host))) return;
    const { url, host: own } = await served(host);
    expect(own).toBe(host);
    expect(await connect(url).journal.list()).toEqual([]);
    const page = await fetch(`${url}/__backlot/console.json`, { headers: { origin: url } });
    expect(page.status).toBe(200);
  },
);

test("the control API takes bodies beyond what the interfaces take", async () => {
  const settings = { bodyLimit: 1_000 };
  const emulator = await createEmulator({ fixtures: { tables: { notes: [] } }, ...settings });
  const { url, close } = await startServer(emulator, { port: 0 });
  onTestFinished(close);
  const text = "x".repeat(10_000);
  const { tables } = connect<{ readonly tables: { readonly notes: { text: string }[] } }>(url);
  await tables.notes.replaceRows([{ text }]);
  const state = await (await fetch(`${url}/__backlot/state`)).text();
  const headers = { "content-type": "application/json" };
  const put = await fetch(`${url}/__backlot/state`, { method: "PUT", headers, body: state });
  expect([put.status, emulator.tables.notes.size]).toEqual([204, 1]);
});
