import type { Duplex } from "node:stream";
import type { Reply } from "../../core/http/reply.ts";

interface Refusal {
  /** As in the status line. */
  readonly status: string;
  readonly error: string;
}

const reasons: ReadonlyMap<string, Refusal> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    {
      status: "431 Request Header Fields Too Large",
      error: "The request's head is larger than 64 KB. Send fewer or shorter headers.",
    },
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    { status: "408 Request Timeout", error: "The request did not arrive in time." },
  ],
]);

/** How long a client has to take the answer and close its side. */
const goodbyeMs = 1_000;

const malformed = {
  status: "400 Bad Request",
  error: "The request is not valid HTTP/1.1.",
};

/** What a refusal depends on. */
export interface RefusalOptions {
  /** Whether a response is partly out. */
  readonly isAnswering: boolean;
  /** The answer to a method that node:http does not know, where the service has one of its own. */
  readonly unknownMethod: Reply | undefined;
}

/**
 * Answers bytes that are no HTTP request, where there is no call yet and so no interface to answer it. When a
 * response is partly out, the connection is cut instead: the answer would stand in the middle of that response.
 */
export function refuseBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { isAnswering, unknownMethod }: RefusalOptions,
): void {
  if (!socket.writable || error.code === "ECONNRESET" || isAnswering) {
    socket.destroy();
    return;
  }
  if (error.code === "HPE_INVALID_METHOD" && unknownMethod?.body.kind === "text") {
    const type = unknownMethod.headers["content-type"] ?? "";
    end(socket, `${unknownMethod.status} Not Implemented`, { type, text: unknownMethod.body.text });
    return;
  }
  sayGoodbye(socket, reasons.get(error.code ?? "") ?? malformed);
}

/** Answers CONNECT, which asks for a tunnel to elsewhere. */
export function refuseTunnel(socket: Duplex): void {
  sayGoodbye(socket, {
    status: "405 Method Not Allowed",
    error: "This server is no proxy: it opens no tunnels.",
  });
}

/** Answers a request that lacks its Host, as HTTP/1.1 demands (RFC 9112, section 3.2). */
export function refuseWithoutHost(socket: Duplex): void {
  sayGoodbye(socket, {
    status: "400 Bad Request",
    error: "The request has no Host header, which HTTP/1.1 demands.",
  });
}

function sayGoodbye(socket: Duplex, { status, error }: Refusal): void {
  const text = JSON.stringify({ error, code: "bad_request" });
  end(socket, status, { type: "application/json", text });
}

function end(
  socket: Duplex,
  status: string,
  { type, text }: { readonly type: string; readonly text: string },
): void {
  socket.on("error", () => undefined);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
  setTimeout(() => socket.destroy(), goodbyeMs).unref();
}
