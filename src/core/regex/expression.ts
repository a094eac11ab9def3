import type { LinearExpression, Match } from "./linear.ts";
import { tokensOf } from "./tokens.ts";

/** Undefined where it has no such expression. */
type LinearEngine = (source: string, flags: string) => LinearExpression | undefined;

/** Does something for a limited time; undefined: the time was over. Runtimes that cannot do that have none. */
type TimeLimit = <Value>(work: () => Value) => Value | undefined;

/** Thrown by an expression that needs the engine before it is loaded. */
const engineMissing = new Error("The engine of regular expressions is not loaded.");

let engine: LinearEngine | undefined;
let isAwaited = false;
let limitTime: TimeLimit = (work) => work();
let warn: (message: string) => void = () => undefined;
let givenUp = 0;

/** Tells how to end what takes too long, and who is told of it. For the front of a runtime, once. */
export function setTimeLimit(limit: TimeLimit, warned: typeof warn): void {
  limitTime = limit;
  warn = warned;
}

/** How often an expression took too long so far. */
export function timesGivenUp(): number {
  return givenUp;
}

/** Loads the engine, 0.3 MB, which few texts and expressions need. */
export async function loadEngine(): Promise<void> {
  // A service worker has it only where it was installed with it.
  const room = await import("./linear.ts").catch(() => undefined);
  engine = room?.linearExpression ?? (() => undefined);
}

/** Does something with expressions, again once the engine is there if they need it. The first try must leave nothing behind. */
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

/** The runtime's own engine tries at most so many ways, which takes some milliseconds. */
const mostTried = 1_000_000;

/**
 * A regular expression that never takes long. The runtime's own engine goes back and tries another way, so `^(a+)+$` beside
 * 30 letters takes a minute. Where there may be too many ways for a text, a linear engine takes it.
 */
export class Expression {
  readonly #flags: string;
  readonly #own: RegExp;
  #ways: Ways | undefined;
  readonly #mostWays: number;
  #linear: LinearExpression | undefined;
  #isTranslated = false;

  /** Throws a SyntaxError where it is none. */
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

  /** The first match that begins at a place or behind it. */
  exec(text: string, from = 0): Match | null {
    if (this.#isQuick(text)) return this.#exec(text, from);
    const linear = this.#onEngine();
    return linear === undefined ? this.#limited(text, from) : linear.exec(text, from);
  }

  toString(): string {
    return new RegExp(this.#own.source, this.#flags).toString();
  }

  #isQuick({ length }: string): boolean {
    // Not in the constructor: most of many scripts are never tried.
    this.#ways ??= waysOf(this.#own.source);
    return countWays(this.#ways, length) <= this.#mostWays;
  }

  #exec(text: string, from: number): Match | null {
    this.#own.lastIndex = from;
    return this.#own.exec(text);
  }

  /** What takes too long is no match. */
  #limited(text: string, from: number): Match | null {
    const found = limitTime(() => this.#exec(text, from));
    if (found !== undefined) return found;
    givenUp++;
    warn(
      `The regular expression ${this.toString().slice(0, 200)} took longer than it may, at most 250 ms, and so counts as no match. Write it without look-around and back references, or narrower.`,
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

/** Why an expression may take long although there is a linear engine; undefined: it cannot. */
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

/** Takes tokens from the end of a list, up to the end of the group. */
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
