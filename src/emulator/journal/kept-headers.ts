/** Headers by name. */
type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The headers that were kept last. A client mostly sends the same ones with each request, and gets the same ones. Kept
 * once for all entries they cost the collector nothing; kept for each, they are a third of what the journal costs.
 */
export class KeptHeaders<Kind extends Headers> {
  #last: Kind | undefined;
  #size = 0;

  /** Headers to keep: those kept before, where they are the same. */
  keep(headers: Kind): Kind {
    if (this.#last === undefined || !areEqual(headers, this.#last)) {
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

function sizeOf(headers: Headers): number {
  let size = 0;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0) + headerSize;
  return size;
}

function areEqual(some: Headers, others: Headers): boolean {
  let more = 0;
  for (const name in some) {
    if (some[name] !== others[name]) return false;
    more++;
  }
  for (const name in others) if (others[name] !== undefined) more--;
  return more === 0;
}
