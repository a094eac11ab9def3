import type { IncomingMessage } from "node:http";
import type { CallHeaders } from "../../core/http/call.ts";

/**
 * The headers of the last request, as they came and as they were read. Most clients send the same ones with each: then
 * all calls share one object, which the journal recognises at a glance. To compare the lists takes 0.4 µs, to compare
 * the objects 2.7.
 */
let last: { readonly raw: readonly string[]; readonly headers: CallHeaders } | undefined;

/** A request's headers by name. Only `set-cookie` is ever a list, and no request has it with a meaning. */
export function headersOf(request: IncomingMessage): CallHeaders {
  // Over HTTP/2 the two lists differ by what begins with a colon.
  if (request.httpVersionMajor !== 1) return request.headers as CallHeaders;
  const { rawHeaders: raw } = request;
  if (last !== undefined && areSame(raw, last.raw)) return last.headers;
  const headers = request.headers as CallHeaders;
  // What becomes of a header that is sent twice is the server's to say.
  last = Object.keys(headers).length * 2 === raw.length ? { raw, headers } : undefined;
  return headers;
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) {
    if (some[index] !== others[index]) return false;
  }
  return true;
}
