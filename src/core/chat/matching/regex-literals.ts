/**
 * Texts of which one stands, letter case aside, in whatever a regular expression matches: one for each of its
 * alternatives. Undefined when one of them has none, or has a part that is not understood here.
 */
export function literalsOfRegex(source: string, flags: string): readonly string[] | undefined {
  const ignoresCase = flags.includes("i");
  // Sets of characters have another syntax with `v`, and `i` with `u` joins letters of different alphabets.
  if (flags.includes("v") || (ignoresCase && flags.includes("u"))) return undefined;
  const reader = new RunReader(ignoresCase);
  for (const [token = ""] of source.matchAll(tokens)) {
    if (!reader.read(token)) return undefined;
  }
  return reader.finish();
}

/** An escape, a set, a count, or one character. */
const tokens = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/g;

const isAsciiLetterOrDigit = /^[0-9A-Za-z]$/;

/** Finds the longest run of plain characters in each alternative. Groups are passed over. */
class RunReader {
  readonly #ignoresCase: boolean;
  readonly #longest: string[] = [];
  #alternative = "";
  #run = "";
  #depth = 0;

  constructor(ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
  }

  /** False when nothing can be said of an expression with this. */
  read(token: string): boolean {
    if (token === "(") {
      this.#endRun();
      this.#depth++;
    } else if (token === ")") {
      this.#depth--;
    } else if (this.#depth > 0) {
      return true;
    } else if (token === "|") {
      this.#endAlternative();
    } else if (token === "*" || token === "?" || /^\{./.test(token)) {
      this.#dropLast();
      this.#endRun();
    } else if (token === "{") {
      return false;
    } else if (/^(?:[.^$+]|\[.*\]|\\[dDwWsSbB])$/s.test(token)) {
      this.#endRun();
    } else {
      return this.#readCharacter(token);
    }
    return true;
  }

  #readCharacter(token: string): boolean {
    const character = token.startsWith("\\") ? token.slice(1) : token;
    // An escaped letter or digit stands for something else, such as `\x41` or `\1`.
    if (token.length > 1 && isAsciiLetterOrDigit.test(character)) return false;
    if (this.#ignoresCase && character > "\x7f") this.#endRun();
    else this.#run += character;
    return true;
  }

  /** The literals; undefined when an alternative has none. */
  finish(): readonly string[] | undefined {
    this.#endAlternative();
    return this.#longest.includes("") ? undefined : this.#longest;
  }

  /** What is followed by `*` need not be there. */
  #dropLast(): void {
    const pair = /[\ud800-\udbff][\udc00-\udfff]$/.test(this.#run);
    this.#run = this.#run.slice(0, pair ? -2 : -1);
  }

  #endRun(): void {
    if (this.#run.length > this.#alternative.length) this.#alternative = this.#run;
    this.#run = "";
  }

  #endAlternative(): void {
    this.#endRun();
    this.#longest.push(this.#alternative);
    this.#alternative = "";
  }
}
