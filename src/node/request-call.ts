import type { IncomingMessage } from "node:http";
import type { Call, CallHeaders } from "../http/call.ts";
import { readBody } from "./read-body.ts";

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
  const url = new URL(absolute);
  if (!url.pathname.startsWith("/")) return { path: "/", query: "" };
  return { path: url.pathname, query: url.search.slice(1) };
}

/** A node:http request as the core sees it. `signal` is aborted when the connection closes. */
export function callFromRequest(
  request: IncomingMessage,
  signal: AbortSignal,
  { bodyLimit }: { readonly bodyLimit: number },
): Call {
  const { path, query } = splitTarget(request.url ?? "/");
  let body: ReturnType<typeof readBody> | undefined;
  return {
    method: request.method ?? "GET",
    path,
    query,
    headers: headersOf(request),
    readBody: () => (body ??= readBody(request, bodyLimit)),
    signal,
  };
}

/** Only `set-cookie` is ever a list, and no request has it with a meaning. */
function headersOf(request: IncomingMessage): CallHeaders {
  return request.headers as CallHeaders;
}
