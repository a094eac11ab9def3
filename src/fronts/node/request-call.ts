import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { Socket } from "node:net";
import type { Call, CallHeaders } from "../../core/http/call.ts";
import { parseAddress } from "../../core/emulator/routes.ts";
import { readBody } from "./request-body.ts";

/** Characters that a URL parser leaves as they are, so that most targets need none. */
const plainTarget = /^\/(?!\/)[\w\-.~!$&()*+,;=:@/%?]*$/;
const dotSegment = /\/\.|\/%2e/i;

/** Path and query of a request target, normalised as a URL parser does: dot segments, backslashes, spaces. */
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
  return { path: url.pathname, query: url.search.slice(1) };
}

/** What a call needs besides its request. */
interface CallOptions {
  readonly bodyLimit: number;
  readonly bodiesLimit: number;
  /** Default: those of the request alone. */
  readonly sharedHeaders?: SharedHeaders | undefined;
}

/** A node:http request as the core sees it. Its signal is aborted when the response closes. */
export function callFromNodeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: CallOptions,
): Call {
  return new RequestCall(request, response, options);
}

/**
 * The headers of the requests that one server takes. Most clients send the same ones with each: those calls share one
 * object. The journal would keep thousands otherwise, which cost the collector 3 µs a request.
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

/** Only `set-cookie` is ever a list, and no request has it with a meaning. */
function headersOf(request: IncomingMessage): CallHeaders {
  return isOverHttp2(request) ? headersOverHttp2(request) : (request.headers as CallHeaders);
}

/**
 * A class for its getter: of an object literal with one V8 makes a hidden class each time, which lives until the
 * next full collection, and with it the whole request. Collecting those took 15 µs a request.
 */
class RequestCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: CallHeaders;
  readonly readBody: Call["readBody"];
  readonly bodiesLimit: number;
  received: Uint8Array | undefined = undefined;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { bodyLimit, bodiesLimit, sharedHeaders }: CallOptions,
  ) {
    const { path, query } = splitTarget(request.url ?? "/");
    this.method = request.method ?? "GET";
    this.path = path;
    this.query = query;
    this.headers = sharedHeaders?.of(request) ?? headersOf(request);
    let body: ReturnType<typeof readBody> | undefined;
    this.bodiesLimit = bodiesLimit;
    this.readBody = (limit = bodyLimit) => (body ??= readBody(request, limit, this));
    this.#response = response;
  }

  /** Made when it is asked for: to abort a signal takes longer than to answer. */
  get signal(): AbortSignal {
    return (this.#signal ??= closeSignal(this.#response));
  }

  peerAddress(): string | undefined {
    return addressOf(this.#response.req.socket);
  }
}

/** A socket of the file system has no addresses. One that is gone may have lost its peer's. */
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

/** Whether a request of node:http is in truth one of node:http2, which browsers send to a server with a certificate. */
function isOverHttp2(request: object): request is Http2ServerRequest {
  return "authority" in request;
}

/** Headers in the form that they have in HTTP/1: the host by its name, and no pseudo-headers. */
function headersOverHttp2({ authority, headers }: Http2ServerRequest): CallHeaders {
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return { host: authority, ...Object.fromEntries(named) };
}
