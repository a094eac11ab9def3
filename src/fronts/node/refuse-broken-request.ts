import type { Duplex } from "node:stream";
import { http2Refusal } from "./http2-refusal.ts";
import type { Reply } from "../../core/http/reply.ts";
import { nodeTimers } from "./timers.ts";

/** Status lines and messages for bytes that are not a valid request. */
const refusals = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The request's head is larger than 64 KB. Send fewer or shorter headers.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
  malformed: ["400 Bad Request", "The request is not valid HTTP/1.1."],
  // RFC 9112, section 3.2, requires this refusal.
  noHost: ["400 Bad Request", "The request has no Host header, which HTTP/1.1 requires."],
  http2: [
    "505 HTTP Version Not Supported",
    "This server speaks HTTP/1.1 without TLS, not HTTP/2. Turn off prior knowledge of HTTP/2.",
  ],
  tunnel: ["405 Method Not Allowed", "This server is not a proxy: it opens no tunnels."],
} as const;

/** What a refusal depends on. */
export interface RefusalOptions {
  /** Whether a response is partly sent. */
  readonly isAnswering: boolean;
  /** The answer to a method unknown to node:http, if the service has its own. */
  readonly unknownMethod: Reply | undefined;
}

/**
 * Answers bytes that are not an HTTP request, which no interface could answer. If a response is partly sent, the
 * connection is cut instead, since an answer would become part of that response.
 */
export function refuseBrokenRequest(
  { code = "", rawPacket }: NodeJS.ErrnoException & { readonly rawPacket?: Buffer },
  socket: Duplex,
  { isAnswering, unknownMethod }: RefusalOptions,
): void {
  if (!socket.writable || code === "ECONNRESET" || isAnswering) {
    socket.destroy();
  } else if (code === "HPE_PAUSED_H2_UPGRADE") {
    sayGoodbye(socket, http2Refusal(rawPacket ?? Buffer.alloc(0), refusalText("http2")));
  } else if (code === "HPE_INVALID_METHOD" && unknownMethod?.body.kind === "text") {
    const { status, headers, body } = unknownMethod;
    end(socket, `${status} Not Implemented`, headers["content-type"] ?? "", body.text);
  } else {
    const isKnown = code === "HPE_HEADER_OVERFLOW" || code === "ERR_HTTP_REQUEST_TIMEOUT";
    refuseConnection(socket, isKnown ? code : "malformed");
  }
}

/** Answers a CONNECT request, which asks for a tunnel, or a request without a Host, and closes the connection. */
export function refuseConnection(socket: Duplex, why: keyof typeof refusals): void {
  end(socket, refusals[why][0], "application/json", refusalText(why));
}

function refusalText(why: keyof typeof refusals): string {
  return JSON.stringify({ error: refusals[why][1], code: "bad_request" });
}

/** How long a client has to read the answer and close its side. */
const goodbyeMs = 1_000;

function end(socket: Duplex, status: string, type: string, text: string): void {
  const size = Buffer.byteLength(text);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${size}\r\nconnection: close`;
  sayGoodbye(socket, `${head}\r\n\r\n${text}`);
}

function sayGoodbye(socket: Duplex, answer: string | Uint8Array): void {
  socket.on("error", () => undefined);
  socket.end(answer);
  nodeTimers.set(() => socket.destroy(), goodbyeMs).unref();
}
