/** Literals are found by this many characters of theirs; shorter ones cannot be searched for. */
export const shortestLiteral = 3;

/** So much of a long literal is looked at for the characters to find it by. */
const mostLookedAt = 256;

/** A literal, and where in it the three characters stand that it is found by. */
interface Entry<Owner> {
  readonly literal: string;
  readonly offset: number;
  readonly owners: Owner[];
}

/**
 * Finds all of many literals that stand in a text, in one pass over the text. A thousand literals cost as much as
 * ten, save where they are found. ASCII letters are the same in either case.
 */
export class LiteralSearch<Owner> {
  readonly #entries: readonly Entry<Owner>[];
  /** The first entry of each hash, and for each entry the next one; -1 is none. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;

  constructor(ownersByLiteral: ReadonlyMap<string, Owner[]>) {
    const counts = countTriples(ownersByLiteral.keys());
    this.#entries = [...ownersByLiteral].map(([literal, owners]) => {
      return { literal, owners, offset: rarestTriple(literal, counts) };
    });
    const size = tableSize(this.#entries.length);
    this.#first = new Int32Array(size).fill(-1);
    this.#next = new Int32Array(this.#entries.length).fill(-1);
    for (const [index, { literal, offset }] of this.#entries.entries()) {
      const hash = hashAt(literal, offset) & (size - 1);
      this.#next[index] = this.#first[hash] ?? -1;
      this.#first[hash] = index;
    }
  }

  /** Adds the owners of the literals that stand in a text. */
  collect(text: string, found: Set<Owner>): void {
    const first = this.#first;
    const mask = first.length - 1;
    const end = text.length - shortestLiteral;
    // Each character is read once, and takes part in three hashes.
    let one = lowerCodeAt(text, 0);
    let two = lowerCodeAt(text, 1);
    for (let at = 0; at <= end; at++) {
      const three = lowerCodeAt(text, at + 2);
      const index = first[hashOf(one, two, three) & mask] ?? -1;
      if (index !== -1) this.#compare(index, { text, at, found });
      one = two;
      two = three;
    }
  }

  #compare(
    head: number,
    { text, at, found }: { readonly text: string; readonly at: number; readonly found: Set<Owner> },
  ): void {
    for (let index = head; index !== -1; index = this.#next[index] ?? -1) {
      const entry = this.#entries[index];
      if (entry === undefined || entry.offset > at) continue;
      if (!startsAt(entry.literal, text, at - entry.offset)) continue;
      for (const owner of entry.owners) found.add(owner);
    }
  }
}

/** A power of two with room to spare: most characters of a text should meet an empty place. */
function tableSize(literals: number): number {
  let size = 1_024;
  while (size < literals * 8 && size < 65_536) size *= 2;
  return size;
}

/** Whether a literal stands at a place of a text. */
function startsAt(literal: string, text: string, place: number): boolean {
  if (place + literal.length > text.length) return false;
  for (let at = 0; at < literal.length; at++) {
    if (lowerCodeAt(literal, at) !== lowerCodeAt(text, place + at)) return false;
  }
  return true;
}

/** The code unit, that of the small letter for a capital one of ASCII. */
function lowerCodeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function hashAt(text: string, at: number): number {
  return hashOf(lowerCodeAt(text, at), lowerCodeAt(text, at + 1), lowerCodeAt(text, at + 2));
}

function hashOf(one: number, two: number, three: number): number {
  const mixed =
    Math.imul(one, 0x9e3779b1) ^ Math.imul(two, 0x85ebca6b) ^ Math.imul(three, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** How many literals have each three characters, by their hash. */
function countTriples(literals: Iterable<string>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const literal of literals) {
    for (let at = 0; at <= lastTriple(literal); at++) {
      const hash = hashAt(literal, at);
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
  }
  return counts;
}

function rarestTriple(literal: string, counts: ReadonlyMap<number, number>): number {
  let rarest = 0;
  let least = Infinity;
  for (let at = 0; at <= lastTriple(literal); at++) {
    const count = counts.get(hashAt(literal, at)) ?? 0;
    if (count >= least) continue;
    least = count;
    rarest = at;
  }
  return rarest;
}

function lastTriple(literal: string): number {
  return Math.min(literal.length, mostLookedAt) - shortestLiteral;
}
