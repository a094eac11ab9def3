import { showText } from "../../errors/show.ts";
import { affinity } from "../column-kinds.ts";
import { parseNumber } from "../number-text.ts";
import type { Collation } from "../schema.ts";
import {
  type BinaryOperator,
  type Expression,
  ExpressionProblem,
  unknownValue,
} from "./expression.ts";
import { isInteger, type Scalar } from "./scalar.ts";

/** An expression, and the columns that it reads. */
export interface ParsedExpression {
  readonly expression: Expression;
  readonly reads: ReadonlySet<string>;
}

/** Reads an SQL expression over these columns. Throws an `ExpressionProblem`. */
export function parseExpression(text: string, columns: readonly string[]): ParsedExpression {
  const parser = new Parser(tokensOf(text), columns);
  const expression = parser.expression();
  parser.end();
  return { expression, reads: parser.reads };
}

interface Token {
  readonly kind: "word" | "quoted" | "text" | "number" | "blob" | "sign";
  /** The token as written, without the quotes of a quoted one. */
  readonly text: string;
  /** The token in lower case, for comparison with keywords; empty for a quoted one. */
  readonly word: string;
}

const tokenPattern =
  /(\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$))|[xX]'([^']*)'|'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|(0[xX][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([\w$\u0080-\uffff]+)|(<<|>>|<=|>=|<>|!=|==|\|\||->>|->|[^])/g;

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [, gap, blob, literal, double, back, square, number, word, sign] of text.matchAll(
    tokenPattern,
  )) {
    if (gap !== undefined) continue;
    const quoted = double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? square;
    if (blob !== undefined) tokens.push({ kind: "blob", text: blob, word: "" });
    else if (literal !== undefined) {
      tokens.push({ kind: "text", text: literal.replaceAll("''", "'"), word: "" });
    } else if (quoted !== undefined) tokens.push({ kind: "quoted", text: quoted, word: "" });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, word: "" });
    else if (word !== undefined) {
      tokens.push({ kind: "word", text: word, word: word.toLowerCase() });
    } else tokens.push({ kind: "sign", text: sign ?? "", word: sign ?? "" });
  }
  return tokens;
}

/** How tightly operators bind, as in SQLite. NOT is between AND and the comparisons for equality. */
const binding = {
  or: 1,
  and: 2,
  equality: 4,
  order: 5,
  bits: 6,
  sum: 7,
  product: 8,
  concat: 9,
  collate: 10,
  sign: 11,
} as const;

const binaryOperators: Readonly<
  Record<string, readonly [operator: BinaryOperator, binds: number]>
> = {
  or: ["or", binding.or],
  and: ["and", binding.and],
  "=": ["=", binding.equality],
  "==": ["=", binding.equality],
  "<>": ["<>", binding.equality],
  "!=": ["<>", binding.equality],
  "<": ["<", binding.order],
  "<=": ["<=", binding.order],
  ">": [">", binding.order],
  ">=": [">=", binding.order],
  "&": ["&", binding.bits],
  "|": ["|", binding.bits],
  "<<": ["<<", binding.bits],
  ">>": [">>", binding.bits],
  "+": ["+", binding.sum],
  "-": ["-", binding.sum],
  "*": ["*", binding.product],
  "/": ["/", binding.product],
  "%": ["%", binding.product],
  "||": ["||", binding.concat],
};

const collations: readonly Collation[] = ["BINARY", "NOCASE", "RTRIM"];

/** Deeper expressions are refused, since parsing them recursively would overflow the stack. */
const deepest = 200;

class Parser {
  readonly #tokens: readonly Token[];
  readonly #columns: readonly string[];
  readonly reads = new Set<string>();
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], columns: readonly string[]) {
    this.#tokens = tokens;
    this.#columns = columns;
  }

  end(): void {
    const next = this.#tokens[this.#at];
    if (next !== undefined) throw new ExpressionProblem(`${shown(next)} is not expected there`);
  }

  expression(): Expression {
    return this.#deeper(() => this.#from(binding.or));
  }

  #deeper(read: () => Expression): Expression {
    if (++this.#depth > deepest) throw new ExpressionProblem("more than 200 levels");
    const expression = read();
    this.#depth--;
    return expression;
  }

  /** Parses the expression that begins here, with all operators whose binding is at least `least`. */
  #from(least: number): Expression {
    let left = this.#prefix();
    for (;;) {
      const next = this.#continued(left, least);
      if (next === undefined) return left;
      left = next;
    }
  }

  /** Extends an operand by the next operator; undefined if none binds tightly enough. */
  #continued(left: Expression, least: number): Expression | undefined {
    const word = this.#word();
    if (word === "->" || word === "->>") throw new ExpressionProblem(`the operator ${word}`);
    const [operator, binds] = Object.hasOwn(binaryOperators, word)
      ? (binaryOperators[word] ?? [])
      : [];
    if (operator !== undefined && binds !== undefined) {
      if (binds < least) return undefined;
      this.#at++;
      return { kind: "binary", operator, left, right: this.#from(binds + 1) };
    }
    if (word === "collate") return this.#collated(left);
    return least > binding.equality ? undefined : this.#tested(left);
  }

  /**
   * Parses a test that is written in words, such as IS NULL, which binds as tightly as `=`; undefined if none begins
   * here.
   */
  #tested(left: Expression): Expression | undefined {
    if (this.#takes("isnull")) return isNull(left);
    if (this.#takes("notnull")) return negated(isNull(left));
    if (this.#takes("is")) return this.#is(left);
    if (this.#word() === "not" && this.#word(1) === "null") {
      this.#at += 2;
      return negated(isNull(left));
    }
    const isNot = this.#word() === "not" && membership.has(this.#word(1));
    if (isNot) this.#at++;
    const found = this.#member(left);
    return found !== undefined && isNot ? negated(found) : found;
  }

  #is(left: Expression): Expression {
    const isNot = this.#takes("not");
    const isDistinct = this.#takes("distinct");
    if (isDistinct) this.#expect("from");
    const operator = isNot === isDistinct ? "is" : "is not";
    const right = this.#operand();
    if (right !== isTrue && right !== isFalse) return { kind: "binary", operator, left, right };
    const truth: Expression = { kind: "truth", operand: left, wanted: right === isTrue };
    return operator === "is" ? truth : negated(truth);
  }

  /** Parses the right side of a test that is written in words. */
  #operand(): Expression {
    return this.#from(binding.order);
  }

  #member(operand: Expression): Expression | undefined {
    if (this.#takes("in")) {
      return { kind: "in", operand, list: this.#list() };
    }
    if (this.#takes("between")) {
      const low = this.#operand();
      this.#expect("and");
      return { kind: "between", operand, low, high: this.#operand() };
    }
    const name = this.#word();
    if (name !== "like" && name !== "glob") {
      if (name === "regexp" || name === "match") throw new ExpressionProblem(name.toUpperCase());
      return undefined;
    }
    this.#at++;
    const pattern = this.#operand();
    const escape = this.#takes("escape") ? [this.#operand()] : [];
    return { kind: "call", name, given: [pattern, operand, ...escape] };
  }

  #collated(operand: Expression): Expression {
    this.#at++;
    const { text } = this.#next();
    const collation = collations.find((known) => known === text.toUpperCase());
    if (collation === undefined) throw new ExpressionProblem(`the collation ${showText(text)}`);
    return { kind: "collate", operand, collation };
  }

  #prefix(): Expression {
    const word = this.#word();
    // The operand of NOT contains everything that binds more tightly than NOT.
    if (this.#takes("not")) return negated(this.#deeper(() => this.#from(binding.equality)));
    if (word !== "-" && word !== "+" && word !== "~") return this.#primary();
    this.#at++;
    if (word === "-" && this.#tokens[this.#at]?.text === "9223372036854775808") {
      this.#at++;
      return { kind: "literal", value: -(2n ** 63n) };
    }
    const operand = this.#deeper(() => this.#from(binding.sign));
    return { kind: "unary", operator: word, operand };
  }

  #primary(): Expression {
    const token = this.#next();
    switch (token.kind) {
      case "number":
        return { kind: "literal", value: numberLiteral(token.text) };
      case "text":
        return { kind: "literal", value: token.text };
      case "blob":
        return { kind: "literal", value: bytesOf(token.text) };
      case "quoted":
        return this.#named(token);
      case "word":
        return this.#word() === "(" || keywords.has(token.word)
          ? this.#keyword(token)
          : this.#named(token);
      default:
        if (token.text !== "(")
          throw new ExpressionProblem(`${shown(token)} is not expected there`);
        return this.#inBrackets();
    }
  }

  #inBrackets(): Expression {
    if (this.#word() === "select") throw new ExpressionProblem("a subquery");
    const expression = this.expression();
    if (this.#word() === ",") throw new ExpressionProblem("a row of values");
    this.#expect(")");
    return expression;
  }

  /** Parses a column, possibly with its table in front. A quoted name that no column has is a text in SQLite. */
  #named(first: Token): Expression {
    let token = first;
    while (this.#word() === ".") {
      this.#at++;
      token = this.#next();
    }
    const name = this.#columnNamed(token.text);
    if (name !== undefined) {
      this.reads.add(name);
      return { kind: "column", name };
    }
    if (token.word === "true") return isTrue;
    if (token.word === "false") return isFalse;
    if (token.kind === "quoted") return { kind: "literal", value: token.text };
    throw new ExpressionProblem(`the name ${showText(token.text)}, which is no column,`);
  }

  #columnNamed(name: string): string | undefined {
    const folded = name.toLowerCase();
    return (
      this.#columns.find((column) => column === name) ??
      this.#columns.find((column) => column.toLowerCase() === folded)
    );
  }

  #keyword({ word, text }: Token): Expression {
    if (word === "null") return unknownValue;
    if (word === "case") return this.#case();
    if (word === "exists" || word.startsWith("current_")) throw new ExpressionProblem(text);
    this.#expect("(");
    if (word === "cast") {
      const operand = this.expression();
      this.#expect("as");
      let type = "";
      let open = 1;
      for (;;) {
        const part = this.#next().text;
        if (part === "(") open++;
        if (part === ")" && --open === 0) break;
        type += ` ${part}`;
      }
      return { kind: "cast", operand, to: affinity(type) };
    }
    return { kind: "call", name: word, given: this.#until(")") };
  }

  #case(): Expression {
    const operand = this.#word() === "when" ? undefined : this.expression();
    const cases: { when: Expression; result: Expression }[] = [];
    while (this.#takes("when")) {
      const when = this.expression();
      this.#expect("then");
      cases.push({ when, result: this.expression() });
    }
    const otherwise = this.#takes("else") ? this.expression() : unknownValue;
    this.#expect("end");
    return { kind: "case", operand, cases, otherwise };
  }

  #list(): readonly Expression[] {
    this.#expect("(");
    if (this.#word() === "select") throw new ExpressionProblem("a subquery");
    return this.#until(")");
  }

  /** Parses expressions that are separated by commas. */
  #until(end: string): readonly Expression[] {
    const found: Expression[] = [];
    if (this.#takes(end)) return found;
    do found.push(this.expression());
    while (this.#takes(","));
    this.#expect(end);
    return found;
  }

  #word(ahead = 0): string {
    return this.#tokens[this.#at + ahead]?.word ?? "";
  }

  #takes(word: string): boolean {
    if (this.#word() !== word) return false;
    this.#at++;
    return true;
  }

  #expect(word: string): void {
    const token = this.#tokens[this.#at];
    if (token?.word === word) this.#at++;
    else {
      const found = token === undefined ? "its end" : shown(token);
      throw new ExpressionProblem(`${found} where ${word.toUpperCase()} is expected`);
    }
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new ExpressionProblem("its end, where a value is expected");
    return token;
  }
}

const membership = new Set(["in", "between", "like", "glob", "regexp", "match"]);
const keywords = new Set(
  "null case cast exists current_time current_date current_timestamp".split(" "),
);
/** The values of TRUE and FALSE. After IS, these words test whether a condition holds. */
const isTrue: Expression = { kind: "literal", value: 1n };
const isFalse: Expression = { kind: "literal", value: 0n };

function isNull(operand: Expression): Expression {
  return { kind: "binary", operator: "is", left: operand, right: unknownValue };
}

function negated(operand: Expression): Expression {
  return { kind: "unary", operator: "not", operand };
}

function shown({ text, kind }: Token): string {
  return showText(kind === "text" ? `'${text}'` : text);
}

function numberLiteral(text: string): Scalar {
  if (/^0x/i.test(text)) return BigInt.asIntN(64, BigInt(text));
  if (/^\d+$/.test(text) && text.length < 30 && isInteger(BigInt(text))) return BigInt(text);
  return Number(parseNumber(text) ?? text);
}

function bytesOf(hexadecimal: string): Uint8Array {
  const pairs = hexadecimal.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
