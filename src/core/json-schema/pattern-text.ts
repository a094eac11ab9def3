import { tokensOf } from "./pattern-tokens.ts";

/** A part of a regular expression. */
type Item =
  | { readonly kind: "text"; readonly text: string }
  /** One character that this part matches. */
  | { readonly kind: "set"; readonly source: string }
  | {
      readonly kind: "group";
      readonly choices: readonly Sequence[];
      readonly names: readonly string[];
    }
  | { readonly kind: "again"; readonly name: string }
  | { readonly kind: "repeat"; readonly item: Item; readonly least: number; readonly most: number };

type Sequence = readonly Item[];

/** How a text for a regular expression is chosen. */
export interface PatternDraw {
  readonly random: () => number;
  /** Whether a set gives any of its characters, or only its letters and digits if it has some. */
  readonly isWide: boolean;
  /** The most repetitions beyond the required ones. */
  readonly extra: number;
}

/** Longer texts are not made. */
const longest = 20_000;

/**
 * A text that a regular expression probably matches; lookaheads are ignored. Undefined: the expression is invalid, or
 * its texts are too long.
 */
export function textOfPattern(source: string, draw: PatternDraw): string | undefined {
  if (!isValid(source)) return undefined;
  const choices = new PatternReader(tokensOf(source, "u")).readChoices();
  return new PatternText(draw).write({ kind: "group", choices, names: [] });
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}

/** Reads the tokens of an expression. */
class PatternReader {
  readonly #tokens: readonly string[];
  #place = 0;
  #groups = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** The alternatives up to the end of the group. */
  readChoices(): readonly Sequence[] {
    const choices: Item[][] = [[]];
    for (let token = this.#next(); token !== undefined && token !== ")"; token = this.#next()) {
      if (token === "|") choices.push([]);
      else choices.at(-1)?.push(this.#repeated(this.#itemOf(token)));
    }
    return choices;
  }

  #next(): string | undefined {
    return this.#tokens[this.#place++];
  }

  #itemOf(token: string): Item {
    if (token.startsWith("(")) return this.#groupOf(token);
    if (/^(?:[\^$]|\\[bB])$/.test(token)) return { kind: "text", text: "" };
    const [, back = ""] = /^\\([1-9]\d*|k<[^>]*>)$/.exec(token) ?? [];
    if (back !== "") return { kind: "again", name: back.replace(/^k<(.*)>$/, "$1") };
    const isSet = token === "." || token.startsWith("[") || token.startsWith("\\");
    return isSet ? { kind: "set", source: token } : { kind: "text", text: token };
  }

  #groupOf(token: string): Item {
    const [, name] = /^\(\?<([^=!].*)>$/.exec(token) ?? [];
    const names: string[] = [];
    if (token === "(" || name !== undefined) names.push(String(++this.#groups));
    if (name !== undefined) names.push(name);
    const choices = this.readChoices();
    const looksAround = /^\(\?<?[=!]/.test(token);
    return looksAround ? { kind: "text", text: "" } : { kind: "group", choices, names };
  }

  #repeated(item: Item): Item {
    const times = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/.exec(this.#tokens[this.#place] ?? "");
    if (times === null) return item;
    this.#place++;
    const [, sign, from = "0", comma, to = ""] = times;
    if (sign === "?") return { kind: "repeat", item, least: 0, most: 1 };
    if (sign !== undefined) {
      return { kind: "repeat", item, least: sign === "+" ? 1 : 0, most: Infinity };
    }
    const isEndless = comma === "," && to === "";
    const most = Number(to === "" ? from : to);
    return { kind: "repeat", item, least: Number(from), most: isEndless ? Infinity : most };
  }
}

/** Writes texts. A backreference repeats the last text of its group. */
class PatternText {
  readonly #draw: PatternDraw;
  readonly #groups = new Map<string, string>();
  #written = 0;

  constructor(draw: PatternDraw) {
    this.#draw = draw;
  }

  write(item: Item): string | undefined {
    switch (item.kind) {
      case "text":
        return this.#counted(item.text);
      case "set":
        return this.#counted(this.#characterOf(item.source));
      case "again":
        return this.#counted(this.#groups.get(item.name) ?? "");
      case "group": {
        const chosen = item.choices[Math.floor(this.#draw.random() * item.choices.length)] ?? [];
        const text = this.#join(chosen);
        for (const name of item.names) this.#groups.set(name, text ?? "");
        return text;
      }
      case "repeat": {
        const { least, most } = item;
        const room = Math.min(most - least, this.#draw.extra);
        const times = least + Math.floor(this.#draw.random() * (room + 1));
        if (times > longest) return undefined;
        return this.#join(Array.from({ length: times }, () => item.item));
      }
    }
  }

  #join(items: Sequence): string | undefined {
    let joined = "";
    for (const item of items) {
      const text = this.write(item);
      if (text === undefined) return undefined;
      joined += text;
    }
    return joined;
  }

  #counted(text: string | undefined): string | undefined {
    this.#written += text?.length ?? 0;
    return this.#written > longest ? undefined : text;
  }

  #characterOf(source: string): string | undefined {
    const all = charactersOf(source);
    const plain = all.filter((one) => /[a-z0-9]/.test(one));
    const chosen = this.#draw.isWide || plain.length === 0 ? all : plain;
    return chosen[Math.floor(this.#draw.random() * chosen.length)];
  }
}

const printable = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place));

/** The characters that a set or an escape matches: the printable ones, or else the first one that is not printable. */
function charactersOf(source: string): readonly string[] {
  const whole = new RegExp(`^${source}$`, "u");
  const usual = printable.filter((one) => whole.test(one));
  if (usual.length > 0) return usual;
  for (let code = 0; code < 0x1_10_00; code++) {
    const one = String.fromCodePoint(code);
    if (whole.test(one)) return [one];
  }
  return [];
}
