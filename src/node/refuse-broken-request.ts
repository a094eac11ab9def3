import type { Duplex } from "node:stream";

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

/**
 * Answers bytes that are no HTTP request, where there is no call yet and so no interface to answer it. When a
 * response is partly out, the connection is cut instead: the answer would stand in the middle of that response.
 */
export function refuseBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { isAnswering }: { readonly isAnswering: boolean },
): void {
  if (!socket.writable || error.code === "ECONNRESET" || isAnswering) {
    socket.destroy();
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
  const body = JSON.stringify({ error, code: "bad_request" });
  socket.on("error", () => undefined);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), goodbyeMs).unref();
}
