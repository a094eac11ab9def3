const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** More digits than a size has that is sent: what follows is passed on as it is. */
const mostDigits = 7;

/** What comes next: the size of a chunk, the end of that line, data, the end of the data, or what is not looked at. */
type Expected = "size" | "size-end" | "data" | "data-end" | "data-end-2" | "anything";

/**
 * Takes the body of a chunked message and gives the same message in fewer chunks: those that came together become one. A
 * parser calls back for each of them, which takes ten times as long as to read on. What is not as plain as most bodies
 * are, an extension of a chunk or what stands behind the last one, is given on as it is, for the parser to judge.
 */
export class ChunkMerger {
  #expected: Expected = "size";
  #size = 0;
  #digits = 0;
  #left = 0;
  /** Where the data of the chunk begins that is being read. */
  #dataStart = 0;

  /** Whether nothing is merged any more. */
  get isOver(): boolean {
    return this.#expected === "anything";
  }

  /** The bytes that are to be parsed in place of these. */
  merge(bytes: Buffer): Buffer {
    if (this.isOver) return bytes;
    const first = this.#isBetween() ? 0 : this.#readChunk(bytes, 0);
    const places: number[] = [];
    let end = first;
    while (end < bytes.length && !this.isOver) {
      const at = this.#readChunk(bytes, end);
      if (!this.#isBetween()) break;
      places.push(this.#dataStart, at - 2);
      end = at;
    }
    return places.length < 4 ? bytes : withOneChunk(bytes, { first, end, places });
  }

  #isBetween(): boolean {
    return this.#expected === "size" && this.#digits === 0;
  }

  /** Reads to the end of a chunk, or of what is there. */
  // oxlint-disable-next-line max-params -- a place in the bytes
  #readChunk(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length) {
      if (this.#expected === "data") {
        const length = Math.min(this.#left, bytes.length - at);
        this.#left -= length;
        at += length;
        if (this.#left === 0) this.#expected = "data-end";
        continue;
      }
      this.#readByte(bytes[at] ?? 0);
      at += 1;
      this.#noteStart(at);
      if (this.isOver || this.#isBetween()) break;
    }
    return at;
  }

  #noteStart(at: number): void {
    if (this.#expected === "data") this.#dataStart = at;
  }

  #readByte(byte: number): void {
    if (this.#expected === "size") this.#readDigit(byte);
    else if (this.#expected === "size-end") this.#expect(byte, lineFeed, "data");
    else if (this.#expected === "data-end") this.#expect(byte, carriageReturn, "data-end-2");
    else {
      this.#expect(byte, lineFeed, "size");
      this.#size = 0;
      this.#digits = 0;
    }
  }

  #readDigit(byte: number): void {
    const digit = hexadecimal(byte);
    if (digit === -1) {
      // The chunk of nothing is the last one.
      this.#left = this.#size;
      this.#expect(byte, this.#size === 0 ? -1 : carriageReturn, "size-end");
      return;
    }
    this.#size = 16 * this.#size + digit;
    this.#digits += 1;
    if (this.#digits > mostDigits) this.#expected = "anything";
  }

  // oxlint-disable-next-line max-params -- called for many bytes
  #expect(byte: number, wanted: number, next: Expected): void {
    this.#expected = byte === wanted ? next : "anything";
  }
}

function hexadecimal(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The chunks from `first` to `end` as one. It fits in: two chunks have more around their data than one. */
function withOneChunk(
  bytes: Buffer,
  {
    first,
    end,
    places,
  }: { readonly first: number; readonly end: number; readonly places: readonly number[] },
): Buffer {
  let size = 0;
  for (let index = 0; index < places.length; index += 2) {
    size += (places[index + 1] ?? 0) - (places[index] ?? 0);
  }
  const merged = Buffer.allocUnsafe(bytes.length);
  let at = bytes.copy(merged, 0, 0, first);
  at += merged.write(`${size.toString(16)}\r\n`, at, "latin1");
  for (let index = 0; index < places.length; index += 2) {
    at += bytes.copy(merged, at, places[index], places[index + 1]);
  }
  at += merged.write("\r\n", at, "latin1");
  at += bytes.copy(merged, at, end);
  return merged.subarray(0, at);
}
