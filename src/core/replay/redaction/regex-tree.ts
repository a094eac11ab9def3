/** What a regular expression is made of, as far as it matters to how it may match. */
export type RegexTree =
  /** Matches one character: a literal, an escape, a class. */
  | { readonly kind: "character"; readonly source: string }
  /** Matches any text: what a group matched before. */
  | { readonly kind: "anything" }
  | { readonly kind: "sequence"; readonly items: readonly RegexTree[] }
  | { readonly kind: "choice"; readonly items: readonly RegexTree[] }
  | {
      readonly kind: "repeat";
      readonly item: RegexTree;
      readonly least: number;
      readonly most: number;
    };

/** A tree, and those of what it looks ahead or behind for, which are matched on their own. */
export interface RegexTrees {
  readonly main: RegexTree;
  readonly looks: readonly RegexTree[];
}

const nothing: RegexTree = { kind: "sequence", items: [] };

/** Reads an expression that is known to be valid. */
export function readRegex(source: string): RegexTrees {
  const reader = new RegexReader(source);
  return { main: reader.choice(), looks: reader.looks };
}

/** At the start of a group: what it is. */
const groupStart = /\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]*:))?/y;
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const reference = /\\(?:[1-9]\d*|k<[^>]*>)/y;
const edge = /\\[bB]|[$^]/y;
const escape = /\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|[^])/y;

class RegexReader {
  readonly looks: RegexTree[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): RegexTree {
    const items = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      items.push(this.#sequence());
    }
    return { kind: "choice", items };
  }

  #sequence(): RegexTree {
    const items: RegexTree[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? "")) {
      items.push(this.#repeated(this.#item()));
    }
    return { kind: "sequence", items };
  }

  #repeated(item: RegexTree): RegexTree {
    const found = this.#take(quantifier);
    if (found === undefined) return item;
    const [, mark, from, comma, to] = found;
    if (mark !== undefined) {
      return {
        kind: "repeat",
        item,
        least: mark === "+" ? 1 : 0,
        most: mark === "?" ? 1 : Infinity,
      };
    }
    const least = Number(from);
    const open = to === "" ? Infinity : Number(to);
    return { kind: "repeat", item, least, most: comma === undefined ? least : open };
  }

  #item(): RegexTree {
    if (this.#source[this.#at] === "(") return this.#group();
    if (this.#source[this.#at] === "[") return { kind: "character", source: this.#class() };
    if (this.#take(edge) !== undefined) return nothing;
    if (this.#take(reference) !== undefined) return { kind: "anything" };
    const escaped = this.#take(escape);
    if (escaped !== undefined) return { kind: "character", source: escaped[0] };
    const literal = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += literal.length;
    return { kind: "character", source: /[{}\]]/.test(literal) ? `\\${literal}` : literal };
  }

  #group(): RegexTree {
    const [start = ""] = this.#take(groupStart) ?? [];
    const inner = this.choice();
    this.#at += 1;
    if (!/[=!]$/.test(start)) return inner;
    this.looks.push(inner);
    return nothing;
  }

  /** Classes stand in classes where the flag `v` is set; elsewhere a bracket in one is a character. */
  #class(): string {
    const start = this.#at;
    for (this.#at += 1; this.#source[this.#at] !== "]"; this.#at += 1) {
      if (this.#at >= this.#source.length) break;
      if (this.#source[this.#at] === "\\") this.#at += 1;
    }
    this.#at += 1;
    return this.#source.slice(start, this.#at);
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}
