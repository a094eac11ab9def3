import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { Socket } from "node:net";
import type { Call, CallHeaders } from "../../core/http/call.ts";
import { parseAddress, readSessionAddress } from "../../core/emulator/routes.ts";
import type { BytesUnderWay } from "./bytes-under-way.ts";
import { readBody } from "./request-body.ts";

/** Request targets that the URL parser would not change, so that most need no parsing. */
const plainTarget = /^\/(?!\/)[\w\-.~!$&()*+,;=:@/%?]*$/;
const dotSegment = /\/\.|\/%2e/i;

/** Path and query of a request target, normalised like a URL: dot segments, backslashes, spaces. */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  if (plainTarget.test(target) && !dotSegment.test(target)) {
    const mark = target.indexOf("?");
    if (mark === -1) return { path: target, query: "" };
    return { path: target.slice(0, mark), query: target.slice(mark + 1) };
  }
  const absolute = target.startsWith("/") ? `http://localhost${target}` : target;
  if (!URL.canParse(absolute)) return { path: "/", query: "" };
  const url = parseAddress(absolute);
  if (!url.pathname.startsWith("/")) return { path: "/", query: "" };
  const [sent = "/"] = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, "").split("?");
  // A load balancer sees the path as it was sent, so dots must not lead to another session.
  const path = sessionIn(sent) === sessionIn(url.pathname) ? url.pathname : sent;
  return { path, query: url.search.slice(1) };
}

/** The session that a path names. */
function sessionIn(target: string): string | undefined {
  return readSessionAddress({ path: target, headers: {} }).id;
}

interface CallOptions {
  readonly bodyLimit: number;
  readonly bodiesLimit: number;
  readonly underWay: BytesUnderWay;
  /** Default: the headers of the request itself. */
  readonly sharedHeaders?: SharedHeaders | undefined;
}

/**
 * Shares header objects between the calls of a server. Most clients repeat their headers, so their calls get the same
 * object. Otherwise the journal would keep thousands of them, which cost the garbage collector 3 µs per request.
 */
export class SharedHeaders {
  #raw: readonly string[] = [];
  #headers: CallHeaders = {};

  of(request: IncomingMessage): CallHeaders {
    const { rawHeaders: raw } = request;
    if (!areSame(raw, this.#raw)) {
      this.#raw = raw;
      this.#headers = headersOf(request);
    }
    return this.#headers;
  }
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, at) => text === others[at]);
}

/** Only `set-cookie` can be a list, and it has no meaning in requests. */
function headersOf(request: IncomingMessage): CallHeaders {
  return isOverHttp2(request) ? headersOverHttp2(request) : (request.headers as CallHeaders);
}

/**
 * A node:http request as the core sees it. Its signal is aborted when the response closes. It is a class because of its
 * getter: for object literals with a getter, V8 creates a hidden class each time, which lives until the next full
 * garbage collection, together with the whole request. Collecting those took 15 µs per request.
 */
export class RequestCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: CallHeaders;
  readonly readBody: Call["readBody"];
  readonly bodiesLimit: number;
  readonly underWay: BytesUnderWay;
  readonly response: ServerResponse;
  received: Uint8Array | undefined = undefined;
  #signal: AbortSignal | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { bodyLimit, bodiesLimit, underWay, sharedHeaders }: CallOptions,
  ) {
    const { path, query } = splitTarget(request.url ?? "/");
    this.method = request.method ?? "GET";
    this.path = path;
    this.query = query;
    this.headers = sharedHeaders?.of(request) ?? headersOf(request);
    let body: ReturnType<typeof readBody> | undefined;
    this.bodiesLimit = bodiesLimit;
    this.underWay = underWay;
    this.readBody = (limit = bodyLimit) => (body ??= readBody(request, limit, this));
    this.response = response;
  }

  /** Created on demand, since aborting a signal takes longer than answering. */
  get signal(): AbortSignal {
    return (this.#signal ??= closeSignal(this.response));
  }

  /**
   * Checks that an answer has room. A request with a body needs no check, since it would have been refused before.
   */
  admit(size: number): void {
    if ((this.received?.length ?? 0) === 0) this.underWay.admit(size, this.bodiesLimit);
  }

  peerAddress(): string | undefined {
    return addressOf(this.response.req.socket);
  }
}

/** The remote address. A Unix socket has none, and a closed socket may have lost it. */
function addressOf({ remoteAddress, localAddress, destroyed }: Socket): string | undefined {
  const isOfFiles = remoteAddress === undefined && localAddress === undefined && !destroyed;
  return isOfFiles ? undefined : (remoteAddress ?? "");
}

function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort();
  else response.once("close", () => controller.abort());
  return controller.signal;
}

/** Whether a node:http request really is a node:http2 one, which browsers send to a server with a certificate. */
function isOverHttp2(request: object): request is Http2ServerRequest {
  return "authority" in request;
}

/** Headers as in HTTP/1: with `host`, and without pseudo-headers. */
function headersOverHttp2({ authority, headers }: Http2ServerRequest): CallHeaders {
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return { host: authority, ...Object.fromEntries(named) };
}
