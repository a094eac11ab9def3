import type { CallHeaders } from "../../http/call.ts";

/**
 * The headers that were kept last. A client mostly sends the same ones with each request. Kept once for all entries
 * they cost the collector nothing; kept for each, they are a third of what the journal costs.
 */
export class KeptHeaders {
  #last: CallHeaders | undefined;
  #size = 0;

  /** Headers to keep: those kept before, where they are the same. */
  keep(headers: CallHeaders): CallHeaders {
    // A front may know that they are the same.
    if (headers !== this.#last && (this.#last === undefined || !areEqual(headers, this.#last))) {
      this.#last = headers;
      this.#size = sizeOf(headers);
    }
    return this.#last;
  }

  /** What those take that were kept last, about, in bytes. Measured once, however often they are kept. */
  get size(): number {
    return this.#size;
  }
}

/** What a header takes besides its name and value. */
const headerSize = 50;

function sizeOf(headers: CallHeaders): number {
  let size = 0;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}

function areEqual(some: CallHeaders, others: CallHeaders): boolean {
  let more = 0;
  for (const name in some) {
    if (some[name] !== others[name]) return false;
    more++;
  }
  for (const name in others) if (others[name] !== undefined) more--;
  return more === 0;
}
