import { defaultPort } from "../../core/settings/settings.ts";
import { guardFor, isLoopbackAddress } from "../../core/emulator/access.ts";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { type ServerShare, type ServedCore, answerRequest } from "./answer-request.ts";
import { BytesUnderWay } from "./bytes-under-way.ts";
import { Connections, closeServer } from "./connections.ts";
import { isRefusedPort, portFrom, refusedPortWarning } from "./refused-ports.ts";
import { refuseBrokenRequest, refuseConnection } from "./refuse-broken-request.ts";
import { SharedHeaders } from "./request-call.ts";
import type { AddressInfo } from "node:net";
import {
  EmulatorError,
  refuseOtherThanEmulator,
  refuseUnknown,
} from "../../core/errors/emulator-error.ts";
import type { Emulator } from "../../core/emulator/emulator.ts";

/** Where a server listens. */
export interface ServerOptions {
  /** Default: {@link defaultPort}; 0 picks a free one. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
}

/** A listening server. */
export interface RunningServer {
  /**
   * The address by which this machine reaches the server, whatever address it listens on, such as
   * `http://127.0.0.1:<port>`.
   */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Whether only this machine can connect. */
  readonly isLocal: boolean;
  /** Stops listening, ends open streams and connections, and resolves when all are closed. */
  readonly close: () => Promise<void>;
}

export const defaultHost = "127.0.0.1";

/** Longer than the minute for which clients commonly keep a pooled connection, so that clients close it first. */
const keepAliveMs = 75_000;
const largestHead = 64 * 1024;
/**
 * After this much silence, the system checks whether a peer still exists. Otherwise streams to vanished clients would
 * never end.
 */
const probeAfterMs = 60_000;

/**
 * Hosts that stand for all addresses of this machine, with the loopback address to show instead. Not every system can
 * connect to such hosts, and the control API refuses them.
 */
const loopbacks: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

function reachable(host: string): string {
  return loopbacks.get(host) ?? (host.includes(":") ? `[${host}]` : host);
}

/**
 * Serves an emulator over HTTP. Warns of a port that browsers and `fetch` refuse. Rejects with `ERR_LISTEN` when it
 * cannot listen on the address.
 */
export async function startServer(
  emulator: { readonly core: ServedCore },
  options: ServerOptions = {},
): Promise<RunningServer> {
  const server = await serve(emulator, options);
  const warning = refusedPortWarning(server.port);
  // Code that starts a server may have no observer, and its author would look long for the reason.
  if (warning !== undefined && !emulator.core.warnOnce(warning)) {
    process.emitWarning(warning, { type: "BacklotWarning" });
  }
  return server;
}

/** Like `startServer`, without the warning, for callers that show other messages first. */
export async function serve(
  emulator: { readonly core: ServedCore },
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { port = defaultPort, host = defaultHost } = checkedOptions(emulator, options);
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    keepAlive: true,
    keepAliveInitialDelay: probeAfterMs,
    maxHeaderSize: largestHead,
    // A duplicate header must not pass for its first value.
    joinDuplicateHeaders: true,
    // `take` refuses such requests instead, since node:http would answer without a body.
    requireHostHeader: false,
  });
  // Only the size of the head is limited: a limit on the number of headers would silently drop some.
  server.maxHeadersCount = 0;
  // A client may close its side as soon as it has sent its request. Without this option, it would only get answers that
  // are ready at once.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = new Connections(server);
  const headers = new SharedHeaders();
  const underWay = new BytesUnderWay();
  const share: ServerShare = { guard: guardFor("local"), underWay, headers, connections };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      connections.refuse(request.socket, () => refuseConnection(request.socket, "noHost"));
      return;
    }
    const { core } = emulator;
    const turn = connections.add(request.socket, response);
    if (turn === undefined) void answerRequest(core, response, share);
    // The client may have left while its request waited.
    else
      void turn.then(() => (request.destroyed ? undefined : answerRequest(core, response, share)));
  };
  server.on("request", take);
  // A request with an unknown `Expect` header is answered like any other.
  server.on("checkExpectation", take);
  server.on("connect", (_request, socket) => {
    connections.refuse(socket, () => refuseConnection(socket, "tunnel"));
  });
  server.on("clientError", (error, socket) => {
    const { unknownMethod } = emulator.core.settings.tablesProfile;
    const say = (): void => {
      const isAnswering = connections.isAnswering(socket);
      refuseBrokenRequest(error, socket, { isAnswering, unknownMethod });
    };
    if (connections.isAnswering(socket)) say();
    else connections.refuse(socket, say);
  });
  const address = await listen(server, { port, host });
  const isLocal = isLoopbackAddress(address.address);
  if (!isLocal) share.guard = guardFor("network");
  return {
    url: `http://${reachable(host)}:${address.port}`,
    host,
    isLocal,
    port: address.port,
    close: () => closeServer(server, connections),
  };
}

const optionNames: readonly (keyof ServerOptions)[] = ["port", "host"];

/** Throws for a wrong first argument or unknown options, which JavaScript callers may pass. */
function checkedOptions(emulator: unknown, options: ServerOptions): ServerOptions {
  const cannot = "Cannot start the server";
  refuseOtherThanEmulator(emulator, cannot);
  refuseUnknown(options, optionNames, { cannot, noun: "option" });
  return options;
}

const highestPort = 65_535;

/**
 * How many clients that connect at the same time wait until they are accepted, as far as the system lets them. With the
 * 511 of Node, some of 2,000 are cut off.
 */
const backlog = 4096;

/**
 * Starts listening. If a free port is requested but the system picks one that browsers and `fetch` refuse, another one
 * is requested. Rejects with `ERR_LISTEN`, which says what to try instead.
 */
export async function listen(
  server: Server,
  options: Required<ServerOptions>,
  isRefused: (port: number) => boolean = isRefusedPort,
): Promise<AddressInfo> {
  for (;;) {
    const address = await listenOnce(server, options);
    if (options.port !== 0 || !isRefused(address.port)) return address;
    await new Promise((closed) => server.close(closed));
  }
}

function listenOnce(server: Server, options: Required<ServerOptions>): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(listenError(error, options));
    server.once("error", refuse);
    server.once("listening", () => {
      server.off("error", refuse);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address);
    });
    try {
      server.listen({ ...options, backlog });
    } catch (error) {
      // An invalid port is thrown, not emitted.
      refuse(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function listenError(
  error: NodeJS.ErrnoException,
  { port, host }: Required<ServerOptions>,
): EmulatorError {
  const next = port < highestPort ? `--port ${portFrom(port + 1)}, or --port 0` : "--port 0";
  const advice =
    error.code === "EADDRINUSE"
      ? `the port is in use. Try ${next} for a free one.`
      : `${error.message}. Choose another host or port.`;
  return new EmulatorError("ERR_LISTEN", `Cannot listen on ${host}:${port}: ${advice}`, {
    cause: error,
  });
}

/** The argument of a global setup of vitest, which passes values to the tests of all files. */
export interface ProvidesUrl {
  readonly provide: (name: "backlot", url: string) => void;
}

/**
 * Makes a global setup of vitest that serves an emulator to the tests of all files while they run, on a free port
 * unless one is given. They find its URL by `inject("backlot")`.
 *
 * @example
 * export default serveTests(await createEmulator({ fixtures: await loadFixtures("fixtures") }));
 */
export function serveTests(
  emulator: Pick<Emulator, "core">,
  options: ServerOptions = {},
): (project: ProvidesUrl) => Promise<() => Promise<void>> {
  const { port = 0, ...others } = checkedOptions(emulator, options);
  return async (project) => {
    const server = await startServer(emulator, { ...others, port });
    project.provide("backlot", server.url);
    return server.close;
  };
}
