import { once } from "node:events";
import nodeHttp, { type IncomingMessage } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { passthrough, http } from "msw";
import { setupServer } from "msw/node";
import OpenAI from "openai";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handlers, refuseUnhandled } from "../../../src/fronts/msw/index.ts";
import { bothUnhandled } from "../../../src/fronts/msw/unhandled.ts";
import { createEmulator } from "../../../src/index.ts";

/** What stands for the real service: it counts who connects, and hangs up. */
interface RealService extends AsyncDisposable {
  readonly address: string;
  readonly connections: () => number;
}

async function realService(): Promise<RealService> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on("error", () => {}).destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => void (await once(server.close(), "close")),
  };
}

const emulator = await createEmulator({
  fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } },
  auth: false,
});

/** Each asks for something that the emulator has not, with a key, and rejects if it gets no answer. */
const clients: Readonly<Record<string, (address: string) => Promise<unknown>>> = {
  fetch: (address) =>
    fetch(`http://${address}/v1/invoices?limit=1`, {
      headers: { authorization: "Bearer sk-real" },
    }),
  "fetch with a body": (address) =>
    fetch(`http://${address}/invoices`, { method: "POST", body: '{"key":"sk-real"}' }),
  "fetch of what looks like a file": (address) => fetch(`http://${address}/exports/users.json`),
  "fetch of what looks like a module": (address) =>
    fetch(`http://${address}/node_modules/@vite/client.mjs`),
  "node:http": async (address) => {
    const request = nodeHttp.get(`http://${address}/invoices`);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
  },
  "OpenAI's SDK": (address) =>
    new OpenAI({
      baseURL: `http://${address}/beta`,
      apiKey: "sk-real",
      maxRetries: 0,
    }).models.list(),
  // Node has it from 22 on.
  ...(typeof WebSocket === "undefined"
    ? {}
    : {
        WebSocket: async (address: string) => {
          const socket = new WebSocket(`ws://${address}/live`);
          await new Promise((resolve, reject) => {
            socket.addEventListener("open", resolve);
            socket.addEventListener("error", () => reject(new Error("refused")));
          });
        },
      }),
};

const names = Object.keys(clients);

const printed = vi.spyOn(console, "error");
// Without braces vitest would take what the call gives for a clean-up.
beforeEach(() => void printed.mockImplementation(() => {}));
afterEach(() => void printed.mockReset());

test.each(names)("keeps what no handler answers on this machine: %s", async (name) => {
  await using service = await realService();
  const server = setupServer(...handlers(emulator));
  server.listen(refuseUnhandled);
  await expect(clients[name]?.(service.address)).rejects.toThrow(Error);
  server.close();
  expect(service.connections()).toBe(0);
  expect(printed.mock.calls.join()).toContain(service.address);
});

// As the pages say, for those who write the options themselves.
test("keeps it here with both options set to error as well", async () => {
  await using service = await realService();
  const server = setupServer(...handlers(emulator));
  const both = { onUnhandledRequest: "error", onUnhandledFrame: "error" } as const;
  server.listen(both);
  await expect(fetch(`http://${service.address}/v1/invoices`)).rejects.toThrow(Error);
  server.close();
  expect(service.connections()).toBe(0);
});

test("does not look up the name of a service either", async () => {
  const server = setupServer(...handlers(emulator));
  server.listen(refuseUnhandled);
  const response = fetch("https://api.openai.invalid/v1/invoices");
  // The cause would be that of the look-up.
  await expect(response).rejects.toThrow(expect.not.objectContaining({ cause: expect.any(Error) }));
  server.close();
});

test("counts the connections of a request that is let through, so that none is none", async () => {
  await using service = await realService();
  const server = setupServer(http.all("*", () => passthrough()));
  server.listen(refuseUnhandled);
  await expect(fetch(`http://${service.address}/v1/invoices`)).rejects.toThrow(Error);
  server.close();
  expect(service.connections()).toBe(1);
});

test("leaves alone what a handler answers", async () => {
  const server = setupServer(...handlers(emulator));
  server.listen(refuseUnhandled);
  expect((await fetch("https://api.example.com/rest/users/1")).status).toBe(200);
  server.close();
  expect(printed).not.toHaveBeenCalled();
});

const socketAddress = "ws://127.0.0.1/live";
const requestFrame = { protocol: "http", data: { request: new Request("http://x.test/a") } };
const socketFrame = { protocol: "ws", data: { connection: { client: { url: socketAddress } } } };

test.each([
  [{}, "warn"],
  [{ onUnhandledRequest: "error" }, "error"],
  [{ onUnhandledFrame: "error" }, "error"],
] as const)("gives both majors of msw what %j says", (options, strategy) => {
  expect(bothUnhandled(options)).toEqual({
    onUnhandledRequest: strategy,
    onUnhandledFrame: strategy,
  });
});

test("gives each major its own where both are named", () => {
  const options = { onUnhandledRequest: "bypass", onUnhandledFrame: "error" } as const;
  expect(bothUnhandled(options)).toEqual(options);
});

test("calls a function of requests for the frames of msw 3", async () => {
  const seen: string[] = [];
  const { onUnhandledFrame } = bothUnhandled({
    onUnhandledRequest: async (request, print) => {
      seen.push(request.url);
      await print.error();
      throw new Error("stopped");
    },
  });
  if (typeof onUnhandledFrame !== "function") throw new Error("Not a function.");
  const defaults = { warn: () => {}, error: () => void seen.push("printed") };
  for (const frame of [requestFrame, socketFrame]) {
    await expect(onUnhandledFrame({ frame, defaults })).rejects.toThrow("stopped");
  }
  expect(seen).toEqual(["http://x.test/a", "printed", socketAddress, "printed"]);
});

test("calls a function of frames for the requests of msw 2", async () => {
  const seen: unknown[] = [];
  const { onUnhandledRequest } = bothUnhandled({
    onUnhandledFrame: async ({ frame, defaults }) => {
      seen.push(frame.protocol);
      await defaults.error();
      throw new Error("stopped");
    },
  });
  if (typeof onUnhandledRequest !== "function") throw new Error("Not a function.");
  const print = { warning: () => {}, error: () => void seen.push("printed") };
  for (const url of ["http://x.test/a", socketAddress]) {
    await expect(onUnhandledRequest(new Request(url), print)).rejects.toThrow("stopped");
  }
  expect(seen).toEqual(["http", "printed", "ws", "printed"]);
});
