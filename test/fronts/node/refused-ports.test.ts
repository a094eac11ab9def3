import { createServer, type Server } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { createEmulator, isEmulatorError } from "../../../src/index.ts";
import {
  isRefusedPort,
  portFrom,
  refusedPortWarning,
} from "../../../src/fronts/node/refused-ports.ts";
import { listen, type RunningServer, startServer } from "../../../src/fronts/node/server.ts";
import type { Observer } from "../../../src/core/emulator/observer.ts";

const all = Array.from({ length: 65_535 }, (_, at) => at + 1);
const refused = all.filter(isRefusedPort);
const unprivileged = refused.filter((port) => port > 1024);

async function causeOf(port: number): Promise<string> {
  const failure: unknown = await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => error);
  const cause = failure instanceof Error ? failure.cause : undefined;
  return cause instanceof Error ? cause.message : "connected";
}

test("knows only ports that fetch refuses, and the well-known ones among them", async () => {
  expect(await Promise.all(refused.map(causeOf))).toEqual(refused.map(() => "bad port"));
  const known = [1, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6669, 6679, 6697, 10_080];
  expect(refused).toEqual(expect.arrayContaining(known));
  expect(refused).not.toContain(4010);
});

test("says what refuses a port, and names one that nothing refuses", () => {
  expect(refusedPortWarning(4045)).toBe(
    "Browsers and fetch refuse to connect to port 4045, because another protocol uses it: they fail with " +
      '"bad port" or ERR_UNSAFE_PORT. Choose another port, such as --port 4046 (in code and config: port).',
  );
  expect(refusedPortWarning(6665)).toContain("--port 6670 ");
  expect(refusedPortWarning(25)).toContain("--port 8025 ");
  expect(refusedPortWarning(4010)).toBeUndefined();
  expect(portFrom(5060)).toBe(5062);
});

/** Starts a server on a refused port that is free. */
async function startOnOne(observer?: Observer): Promise<RunningServer> {
  for (const port of unprivileged) {
    try {
      const emulator = await createEmulator(observer === undefined ? {} : { observer });
      const server = await startServer(emulator, { port });
      onTestFinished(() => server.close());
      return server;
    } catch (error) {
      if (!isEmulatorError(error) || error.code !== "ERR_LISTEN") throw error;
    }
  }
  throw new Error("None of the ports is free.");
}

test("a server that code starts warns of its port by the observer", async () => {
  const warnings: string[] = [];
  const { port } = await startOnOne({ warned: (message) => void warnings.push(message) });
  expect(warnings).toEqual([refusedPortWarning(port)]);
});

test("without an observer it warns by the process", async () => {
  const emitted = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => emitted.mockRestore());
  const { port } = await startOnOne();
  expect(emitted).toHaveBeenCalledWith(refusedPortWarning(port), { type: "BacklotWarning" });
});

test("says nothing of other ports", async () => {
  const warned = vi.fn<() => void>();
  const server = await startServer(await createEmulator({ observer: { warned } }), { port: 0 });
  await server.close();
  expect(warned).not.toHaveBeenCalled();
});

function closing(server: Server): Server {
  onTestFinished(() => void server.close());
  return server;
}

test("asks the system again for a free port until it is one that nothing refuses", async () => {
  const given: number[] = [];
  const server = closing(createServer());
  const { port } = await listen(server, { port: 0, host: "127.0.0.1" }, (one) => {
    given.push(one);
    return given.length < 3;
  });
  expect(given).toHaveLength(3);
  expect(server.address()).toMatchObject({ port });
  expect(port).toBe(given[2]);
});

test("listens on a refused port that was asked for", async () => {
  const free = closing(createServer());
  const { port } = await listen(free, { port: 0, host: "127.0.0.1" });
  await new Promise((closed) => free.close(closed));
  const server = closing(createServer());
  expect(await listen(server, { port, host: "127.0.0.1" }, () => true)).toMatchObject({ port });
});
