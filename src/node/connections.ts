import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

interface Connection {
  readonly socket: Socket;
  /** Responses that are not complete. More than one where a client sends requests without waiting. */
  readonly responses: Set<ServerResponse>;
}

/** The open connections of a server, and the responses that each is at. */
export class Connections {
  readonly #open: Map<Duplex, Connection> = new Map();

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.#open.set(socket, { socket, responses: new Set() });
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  /**
   * Notes a response until it is closed. Where the client did not wait for those before it, the promise resolves
   * when they are closed: what a request does must be seen by the next one.
   */
  add(socket: Duplex, response: ServerResponse): Promise<void> | undefined {
    const responses = this.#open.get(socket)?.responses ?? new Set();
    const before = [...responses].at(-1);
    responses.add(response);
    response.once("close", () => responses.delete(response));
    if (before === undefined) return undefined;
    return new Promise((resolve) => before.once("close", () => resolve()));
  }

  /** Whether a response is partly out. */
  isAnswering(socket: Duplex): boolean {
    const responses = [...(this.#open.get(socket)?.responses ?? [])];
    return responses.some((response) => response.headersSent);
  }

  /** Ends each connection when what is written has gone out. */
  endSoon(): void {
    for (const { socket } of this.#open.values()) socket.destroySoon();
  }

  /** Cuts each connection. */
  cut(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }
}

/** How long a closing server lets clients take what is already written. */
const closingMs = 300;

/**
 * Stops a server. Open streams would keep it waiting for ever, so all connections are ended: once what is written
 * has gone out, or after a moment where the client does not read.
 */
export function closeServer(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => connections.cut(), closingMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
    connections.endSoon();
  });
}
