import type { RegexTree } from "./regex-tree.ts";

/** The characters of an expression as places, and from which of them to which a match may go on. */
export interface RegexGraph {
  /** By place, the characters that fit there: one bit for each of a sample. */
  readonly characters: readonly bigint[];
  /** By place, those that may come next. One may be there twice: where there are two ways to it. */
  readonly next: readonly (readonly number[])[];
}

/** What `(ab){2,5}` is written out as, place by place. More often than this, it counts as without an end. */
const mostWritten = 12;

/** An expression with more places is not judged. */
export const mostPlaces = 300;

interface Piece {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isEmpty: boolean;
}

/** The graph of an expression, or undefined where it has too many places. */
export function regexGraph(
  tree: RegexTree,
  fits: (source: string) => bigint,
): RegexGraph | undefined {
  const characters: bigint[] = [];
  const next: number[][] = [];

  function place(bits: bigint): Piece {
    characters.push(bits);
    next.push([]);
    const own = [characters.length - 1];
    return { first: own, last: own, isEmpty: false };
  }

  function connect(from: readonly number[], to: readonly number[]): void {
    for (const index of from) next[index]?.push(...to);
  }

  function join(left: Piece, right: Piece): Piece {
    connect(left.last, right.first);
    return {
      first: left.isEmpty ? [...left.first, ...right.first] : left.first,
      last: right.isEmpty ? [...left.last, ...right.last] : right.last,
      isEmpty: left.isEmpty && right.isEmpty,
    };
  }

  function build(item: RegexTree): Piece {
    if (characters.length > mostPlaces) return emptyPiece;
    switch (item.kind) {
      case "character":
        return place(fits(item.source));
      case "anything":
        return endless(place(-1n), 0);
      case "sequence":
        return item.items.map(build).reduce(join, emptyPiece);
      case "choice":
        return item.items.map(build).reduce(either);
      case "repeat":
        return repeat(item);
    }
  }

  function endless(piece: Piece, least: number): Piece {
    connect(piece.last, piece.first);
    return { ...piece, isEmpty: piece.isEmpty || least === 0 };
  }

  /** `x{1,3}` is `x(x(x)?)?`. */
  function repeat({ item, least, most }: RegexTree & { readonly kind: "repeat" }): Piece {
    if (most === 0) return emptyPiece;
    if (most > mostWritten) return endless(build(item), least);
    const pieces = Array.from({ length: most }, () => build(item));
    return pieces.reduceRight((rest, piece, index) => {
      const joined = join(piece, rest);
      return index < least ? joined : { ...joined, isEmpty: true };
    }, emptyPiece);
  }

  build(tree);
  return characters.length > mostPlaces ? undefined : { characters, next };
}

const emptyPiece: Piece = { first: [], last: [], isEmpty: true };

function either(left: Piece, right: Piece): Piece {
  return {
    first: [...left.first, ...right.first],
    last: [...left.last, ...right.last],
    isEmpty: left.isEmpty || right.isEmpty,
  };
}
