import type { LinearExpression, Match } from "./linear.ts";
import { tokensOf } from "./tokens.ts";

/** Compiles an expression. Undefined: the engine does not support it. */
type LinearEngine = (source: string, flags: string) => LinearExpression | undefined;

/** Runs work for a limited time; undefined: it took too long. Runtimes that cannot interrupt work have no limit. */
type TimeLimit = <Value>(work: () => Value) => Value | undefined;

/** Thrown when an expression needs the engine before it is loaded. */
const engineMissing = new Error("The engine of regular expressions is not loaded.");

let engine: LinearEngine | undefined;
let isAwaited = false;
let limitTime: TimeLimit = (work) => work();
let warn: (message: string) => void = () => undefined;
let givenUp = 0;

/** Sets how a runtime ends work that takes too long, and who is warned of it. Called once, by its front. */
export function setTimeLimit(limit: TimeLimit, warned: typeof warn): void {
  limitTime = limit;
  warn = warned;
}

/** How many times an expression has taken too long. */
export function timesGivenUp(): number {
  return givenUp;
}

/** Loads the engine, 0.3 MB, which few texts and expressions need. */
export async function loadEngine(): Promise<void> {
  // A service worker has it only where it was installed with it.
  const room = await import("./linear.ts").catch(() => undefined);
  engine = room?.linearExpression ?? (() => undefined);
}

/** Runs work with expressions, and again with the engine loaded if they need it. The first run must have no effects. */
export function withEngine<Value>(work: () => Value): Value | Promise<Value> {
  isAwaited = engine === undefined;
  try {
    return work();
  } catch (error) {
    if (error !== engineMissing) throw error;
    return loadEngine().then(work);
  } finally {
    isAwaited = false;
  }
}

/** The most ways that the runtime's own engine may try, which takes some milliseconds. */
const mostTried = 1_000_000;

/**
 * A regular expression that never takes long. The runtime's own engine backtracks, so `^(a+)+$` takes a minute on 30
 * letters. A linear engine matches texts for which there may be too many ways.
 */
export class Expression {
  readonly #flags: string;
  readonly #own: RegExp;
  #ways: Ways | undefined;
  readonly #mostWays: number;
  #linear: LinearExpression | undefined;
  #isTranslated = false;

  /** Throws a SyntaxError for an invalid source. */
  constructor(source: string, flags: string, mostWays: number = mostTried) {
    this.#mostWays = mostWays;
    this.#flags = flags;
    this.#own = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  }

  test(text: string): boolean {
    if (this.#isQuick(text)) return this.#exec(text, 0) !== null;
    const linear = this.#onEngine();
    return linear === undefined ? this.#limited(text, 0) !== null : linear.test(text);
  }

  /** The first match that begins at `from` or later. */
  exec(text: string, from = 0): Match | null {
    if (this.#isQuick(text)) return this.#exec(text, from);
    const linear = this.#onEngine();
    return linear === undefined ? this.#limited(text, from) : linear.exec(text, from);
  }

  toString(): string {
    return new RegExp(this.#own.source, this.#flags).toString();
  }

  #isQuick({ length }: string): boolean {
    // Counted on first use: most expressions of many scripts never run.
    this.#ways ??= waysOf(this.#own.source);
    return countWays(this.#ways, length) <= this.#mostWays;
  }

  #exec(text: string, from: number): Match | null {
    this.#own.lastIndex = from;
    return this.#own.exec(text);
  }

  /** A match that takes too long counts as none. */
  #limited(text: string, from: number): Match | null {
    const found = limitTime(() => this.#exec(text, from));
    if (found !== undefined) return found;
    givenUp++;
    warn(
      `The regular expression ${this.toString().slice(0, 200)} took too long and counts as no match. Write it without look-around and back references, or make it narrower.`,
    );
    return null;
  }

  #onEngine(): LinearExpression | undefined {
    if (engine === undefined && isAwaited) throw engineMissing;
    if (!this.#isTranslated) {
      this.#isTranslated = engine !== undefined;
      this.#linear = engine?.(this.#own.source, this.#flags);
    }
    return this.#linear;
  }
}

/** The part of an expression that keeps it from the linear engine, if it may take long; undefined: it cannot. */
export function whyNotLinear(source: string, mostWays: number = mostTried): string | undefined {
  const found = tokensOf(source).find((token) => /^\(\?<?[=!]|^\\(?:[1-9]|k)/.test(token));
  return found === undefined || countWays(waysOf(source), 10_000) <= mostWays ? undefined : found;
}

/** How many ways there are to match a text: at most `factor` times its length to the power of `degree`. */
interface Ways {
  readonly factor: number;
  readonly degree: number;
}

const oneWay: Ways = { factor: 1, degree: 0 };

function countWays({ factor, degree }: Ways, length: number): number {
  // A match may begin anywhere.
  return factor === 1 && degree === 0 ? 0 : factor * length ** (degree + 1);
}

function waysOf(source: string): Ways {
  return readWays(tokensOf(source).toReversed());
}

/** The ways of a group. Takes its tokens from the end of the list. */
function readWays(tokens: string[]): Ways {
  let branches: Ways = { factor: 0, degree: 0 };
  let branch = oneWay;
  for (let next = tokens.pop(); next !== undefined && next !== ")"; next = tokens.pop()) {
    if (next === "|") {
      branches = eitherWay(branches, branch);
      branch = oneWay;
    } else {
      const item = repeated(next.startsWith("(") ? readWays(tokens) : oneWay, tokens);
      branch = { factor: branch.factor * item.factor, degree: branch.degree + item.degree };
    }
  }
  return eitherWay(branches, branch);
}

function eitherWay(one: Ways, other: Ways): Ways {
  return { factor: one.factor + other.factor, degree: Math.max(one.degree, other.degree) };
}

const quantifier = /^(?:([*+])|(\?)|\{(\d+)(,?)(\d*)\})/;

/** The ways of an item with its quantifier, if one follows. */
function repeated(item: Ways, tokens: string[]): Ways {
  const found = quantifier.exec(tokens.at(-1) ?? "");
  if (found === null) return item;
  tokens.pop();
  const [, endless, maybe, least = "0", comma, most = ""] = found;
  if (endless !== undefined || (comma === "," && most === "")) {
    return item.factor === 1 && item.degree === 0
      ? { factor: 1, degree: 1 }
      : { factor: Infinity, degree: 0 };
  }
  const times = maybe === undefined ? Number(most || least) : 1;
  const choices = times - Number(maybe === undefined ? least : 0) + 1;
  return { factor: choices * item.factor ** times, degree: item.degree * times };
}
