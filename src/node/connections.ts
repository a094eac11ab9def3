import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

interface Connection {
  readonly socket: Socket;
  /** The response that was asked for last. */
  last: ServerResponse | undefined;
  /** The one that has its turn, or had it last: others wait where a client sends requests without waiting. */
  current: ServerResponse | undefined;
}

/** The open connections of a server, and the responses that each is at. */
export class Connections {
  readonly #open: Map<Duplex, Connection> = new Map();

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.#open.set(socket, { socket, last: undefined, current: undefined });
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  /**
   * Notes a response. Where the client did not wait for the one before it, and that is not written yet, the promise
   * resolves when it is closed: what a request does must be seen by the next one.
   */
  add(socket: Duplex, response: ServerResponse): Promise<void> | undefined {
    const connection = this.#open.get(socket);
    if (connection === undefined) return undefined;
    const before = connection.last;
    connection.last = response;
    if (before === undefined || before.writableEnded) {
      connection.current = response;
      return undefined;
    }
    return new Promise((resolve) => {
      before.once("close", () => {
        connection.current = response;
        resolve();
      });
    });
  }

  /** Whether a response is partly out. */
  isAnswering(socket: Duplex): boolean {
    const current = this.#open.get(socket)?.current;
    return current !== undefined && current.headersSent && !current.writableEnded;
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
