import { nextTick } from "node:process";
import { setImmediate } from "node:timers";
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { endWhenSent } from "./end-when-sent.ts";
import { announcesBody } from "./request-body.ts";
import { isInParts } from "./send-reply.ts";
import { nodeTimers } from "./timers.ts";

interface Connection {
  readonly socket: Socket;
  /** The response to the latest request. */
  last: ServerResponse | undefined;
  /** The response whose turn it is, or was last: if a client pipelines requests, later responses wait. */
  current: ServerResponse | undefined;
  /** The response before the latest one, if it was unfinished at that time. It may have ended without being written. */
  before: ServerResponse | undefined;
  /** How many requests wait for an earlier answer. */
  waiting: number;
  /**
   * The timer that cuts the connection. While it runs, nothing is read from the client, since too many of its
   * requests wait.
   */
  deadline: ReturnType<typeof nodeTimers.set> | undefined;
  /** Whether the connection is being refused. Everything after the refused request is ignored. */
  isRefusing: boolean;
  /** The turn of the event loop in which the last request, or the end of its body, arrived. */
  round: number;
  /** The moment in which that request, or the end of its body, arrived, as `#moments` counts. */
  moment: number;
}

/**
 * How long a refusal, or a client that sends many requests, waits for an earlier answer: as long as node:http waits for
 * a head.
 */
const graceMs = 60_000;

/** The most requests of a connection that may wait for an earlier answer. While so many wait, no more are read. */
const mostWaiting = 100;
/** The most waiting requests of all connections: one piece of received data may contain several hundred requests. */
const mostWaitingInAll = 20_000;

/** How long to wait before cutting a client that closed its side: later writes show whether it is still there. */
const halfClosedMs = 10_000;
/** How long to wait before cutting a client that may have left when its answer began. */
const doubtfulMs = 500;

/** On a busy machine, a client may close its side up to this much later than it sends its request, in milliseconds. */
const momentMs = 2;

/** Counts turns of the event loop, or moments, but only while somebody may still ask about a number. */
class Rounds {
  readonly #begin: (end: () => void) => void;
  #count = 0;
  #left = 0;

  constructor(begin: (end: () => void) => void) {
    this.#begin = begin;
  }

  /** Returns the number of this turn. */
  note(): number {
    if (this.#left === 0) this.#begin(this.#end);
    this.#left = 2;
    return this.#count;
  }

  /** Whether this turn is the one of that number, or the next. */
  isRecent(round: number): boolean {
    return this.#count - round <= 1;
  }

  readonly #end = (): void => {
    this.#count += 1;
    this.#left -= 1;
    if (this.#left > 0) this.#begin(this.#end);
  };
}

/** The open connections of a server, and the responses in progress on each. */
export class Connections {
  readonly #open: Map<Duplex, Connection> = new Map();
  /** How many requests of all connections wait for an earlier answer. */
  #waiting = 0;
  readonly #rounds = new Rounds(setImmediate);
  /** A moment ends once everything that arrived in it has been read, however late this process is. */
  readonly #moments = new Rounds(
    (end) => void nodeTimers.set(() => setImmediate(end), momentMs).unref(),
  );

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      const connection = {
        socket,
        last: undefined,
        current: undefined,
        before: undefined,
        waiting: 0,
        deadline: undefined,
        isRefusing: false,
        round: 0,
        moment: 0,
      };
      this.#open.set(socket, connection);
      socket.once("end", () => this.#endWhereLeft(connection));
      socket.once("close", () => this.#forget(connection));
    });
  }

  /**
   * Registers a response. If the client did not wait for an earlier answer, returns a promise that resolves when the
   * earlier response is closed: a request must see the changes made by the one before. After a refusal, the promise
   * never resolves.
   */
  add(socket: Duplex, response: ServerResponse): Promise<void> | undefined {
    const connection = this.#open.get(socket);
    if (connection === undefined) return undefined;
    const before = connection.last;
    this.#noteRound(connection);
    if (announcesBody(response.req)) response.req.once("end", () => this.#noteRound(connection));
    if (connection.isRefusing) return new Promise(() => undefined);
    connection.last = response;
    connection.before = before?.closed === false ? before : undefined;
    if (before === undefined || before.writableEnded) {
      connection.current = response;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#wait(connection);
      before.once("close", () => {
        connection.current = response;
        this.#goOn(connection);
        resolve();
      });
    });
  }

  /** Notes that one more request waits. If there are many, nothing more is read until some have had their turn. */
  #wait(connection: Connection): void {
    const { socket } = connection;
    connection.waiting += 1;
    this.#waiting += 1;
    if (this.#waiting > mostWaitingInAll) socket.destroy();
    else if (connection.waiting >= mostWaiting) {
      connection.deadline ??= nodeTimers.set(() => socket.destroy(), graceMs).unref();
      // After each request node:http goes on reading in the next tick, and would read up to 2 MB in this turn.
      nextTick(() => nextTick(() => stopReading(connection)));
    }
  }

  /** Notes that a request has its turn, so that one fewer waits. */
  #goOn(connection: Connection): void {
    const { socket } = connection;
    if (connection.waiting === 0) return;
    connection.waiting -= 1;
    this.#waiting -= 1;
    if (connection.deadline === undefined) return;
    nodeTimers.clear(connection.deadline);
    connection.deadline = undefined;
    if (connection.waiting < mostWaiting) socket.resume();
    else {
      connection.deadline = nodeTimers.set(() => socket.destroy(), graceMs).unref();
      // After each answer node:http goes on reading, some ticks later.
      setImmediate(() => stopReading(connection));
    }
  }

  /** Forgets a closed connection with the requests that still wait on it: not all of them are told. */
  #forget(connection: Connection): void {
    this.#waiting -= connection.waiting;
    connection.waiting = 0;
    if (connection.deadline !== undefined) nodeTimers.clear(connection.deadline);
    this.#open.delete(connection.socket);
  }

  /**
   * Refuses what a client sends after its last complete request, but only once that has been answered: earlier requests
   * must not lose their answers. After a timeout the connection is cut.
   */
  refuse(socket: Duplex, say: () => void): void {
    const connection = this.#open.get(socket);
    // Each packet after invalid bytes causes another error.
    if (connection === undefined || connection.isRefusing) return;
    connection.isRefusing = true;
    const pending = pendingBefore(connection);
    if (pending === undefined) {
      say();
      return;
    }
    const deadline = nodeTimers.set(() => socket.destroy(), graceMs).unref();
    socket.once("close", () => nodeTimers.clear(deadline)).on("error", () => undefined);
    // The earlier answer may have closed the connection.
    void closeOf(pending).then(() => (socket.writable ? say() : undefined));
  }

  /** Whether a connection is beyond the `most` oldest open ones. */
  isBeyond(most: number, socket: Duplex): boolean {
    return this.#open.size > most && [...this.#open.keys()].indexOf(socket) >= most;
  }

  #noteRound(connection: Connection): void {
    connection.round = this.#rounds.note();
    connection.moment = this.#moments.note();
  }

  /**
   * Cuts a client that has left. TCP does not distinguish it from a client that has only closed its side and waits. If
   * the close came with the request, it arrives in the next turn of the event loop or soon after, and the client is
   * taken to wait. Otherwise it has left.
   */
  #endWhereLeft({ socket, last, round, moment }: Connection): void {
    if (last?.writableEnded !== false) return;
    const { bytesWritten } = socket;
    const leave = (): void => {
      if (socket.bytesWritten === bytesWritten) socket.destroySoon();
    };
    if (!this.#moments.isRecent(moment)) return leave();
    const isSure = this.#rounds.isRecent(round) || !last.headersSent;
    nodeTimers.set(leave, isSure ? halfClosedMs : doubtfulMs).unref();
  }

  /** Whether a response is partly sent, and it is unknown when it ends. */
  isAnswering(socket: Duplex): boolean {
    const current = this.#open.get(socket)?.current;
    if (current === undefined || !current.headersSent || current.writableEnded) return false;
    return !isInParts(current);
  }

  /** Closes each connection once the data written to it has been sent. */
  endSoon(): void {
    for (const { socket, current } of this.#open.values()) {
      // Of a response sent in parts, not everything has been written yet.
      if (current?.writableEnded === false && isInParts(current)) {
        current.once("close", () => socket.destroySoon());
      } else endWhenSent(socket);
    }
  }

  /** Cuts all connections at once. */
  cut(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }
}

/** Reads nothing more from a client while too many of its requests wait. */
function stopReading({ socket, deadline }: Connection): void {
  if (deadline !== undefined) socket.pause();
}

/** The response that must be sent before a refusal, which takes the place of an incomplete request. */
function pendingBefore({ last, before }: Connection): ServerResponse | undefined {
  const pending = last?.req.complete === false ? before : last;
  return pending?.closed === false ? pending : undefined;
}

/** Resolves when a response is closed, after its earlier `close` listeners have run. */
function closeOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("close", resolve);
  });
}

/** How long a closing server lets clients receive what is already written. */
const closingMs = 300;

/**
 * Stops a server. Open streams would block it for ever, so all connections are ended: when their written data has
 * been sent, or after a moment if the client does not read.
 */
export function closeServer(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    const deadline = nodeTimers.set(() => connections.cut(), closingMs);
    server.close(() => {
      nodeTimers.clear(deadline);
      resolve();
    });
    server.closeIdleConnections();
    connections.endSoon();
  });
}
