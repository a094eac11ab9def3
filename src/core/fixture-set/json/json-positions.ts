import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { didYouMean, showText } from "../../errors/show.ts";
import { deepestFixtureNesting } from "./json-copy.ts";
import { offsetInString, positionOf, type TextPosition } from "./text-position.ts";
import type { Finding } from "../../schema/schema.ts";
import type { JsonPath } from "../../schema/json.ts";

/** A problem of the text itself, found before its format is checked. */
interface TextProblem extends TextPosition {
  readonly message: string;
  /** What was found in a text that is otherwise JSON. Undefined: the text cannot be read at all. */
  readonly kind?: "number" | "key" | "depth";
}

/** A text's value and its problems. Without a value, nothing more can be checked. */
export interface JsonText {
  readonly value?: unknown;
  readonly problems: readonly TextProblem[];
}

/** Reads a text with comments or mistakes, and locates the mistakes. */
export function readWithPositions(text: string, jsonc: boolean): JsonText {
  const { tooDeep, unclosed } = bracketsOf(text);
  if (tooDeep !== undefined) {
    const message = `The value is nested deeper than ${deepestFixtureNesting} levels. Make it flatter.`;
    return { problems: [{ ...positionOf(text, tooDeep), message, kind: "depth" }] };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: !jsonc, allowTrailingComma: jsonc });
  const [first, next] = errors;
  if (first !== undefined) {
    const { offset, message } = syntaxError(text, { first, next, unclosed });
    return { problems: [{ ...positionOf(text, offset), message }] };
  }
  const problems: TextProblem[] = [];
  return root === undefined ? { problems } : { value: valueOf(root, text, problems), problems };
}

/** Finds where a text is nested too deeply for a recursive parser, and the last bracket that is not closed. */
function bracketsOf(text: string): { readonly tooDeep?: number; readonly unclosed?: number } {
  const scanner = createScanner(text, true);
  const open: number[] = [];
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) break;
    const character = text.charAt(offset);
    if (character === "{" || character === "[") open.push(offset);
    else if (character === "}" || character === "]") open.pop();
    if (open.length > deepestFixtureNesting) return { tooDeep: offset };
  }
  const unclosed = open.at(-1);
  return unclosed === undefined ? {} : { unclosed };
}

/** More problems are not shown. Finding the line of each would take quadratic time. */
const mostShown = 100;

/** The value of a node, as `JSON.parse` would give it. Reports what `JSON.parse` would change silently. */
function valueOf(node: Node, text: string, problems: TextProblem[]): unknown {
  const { type, offset, length, children = [] } = node;
  if (type === "array") return children.map((item) => valueOf(item, text, problems));
  if (type !== "object") {
    const value: unknown = node.value;
    const literal = text.slice(offset, offset + length);
    if (typeof value !== "number" || !isChanged(literal, value)) return value;
    if (problems.length >= mostShown) return 0;
    const message = `A number cannot hold ${literal.slice(0, 40)} exactly. Write it as a string, in double quotes.`;
    problems.push({ ...positionOf(text, offset), message, kind: "number" });
    // A placeholder that is a number, so that the mistake is not reported a second time.
    return 0;
  }
  const entries = new Map<string, unknown>();
  for (const member of membersOf(node)) {
    if (entries.has(member.key) && problems.length < mostShown) {
      const message = `The key ${showText(member.key)} appears twice in one object. Remove one of the two.`;
      problems.push({ ...positionOf(text, member.offset), message, kind: "key" });
    }
    entries.set(member.key, valueOf(member.value, text, problems));
  }
  // `Object.fromEntries` makes own properties, even of a key such as `__proto__`.
  return Object.fromEntries(entries);
}

/** Whether a whole number differs from its literal, or a number is too large for a double. */
function isChanged(literal: string, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return !isExact && /^-?\d+$/.test(literal) && BigInt(literal) !== BigInt(value);
}

/** The positions of values in a JSON or JSONC text. */
export class JsonPositions {
  readonly #text: string;
  readonly #root: Node | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#root = parseTree(text, [], { allowTrailingComma: true });
  }

  /**
   * The offset of the key or value at a path. If the path leads further than the document, it is the offset of the
   * last value that exists. A duplicate key means its last value, as for JSON.parse.
   */
  #offsetOf(path: JsonPath, at: "key" | "value"): number {
    let node = this.#root;
    for (const [index, step] of path.entries()) {
      if (node?.type === "object") {
        const member = membersOf(node).findLast(({ key }) => key === String(step));
        if (member === undefined) return node.offset;
        if (at === "key" && index === path.length - 1) return member.offset;
        node = member.value;
      } else {
        const item = node?.type === "array" ? node.children?.[Number(step)] : undefined;
        if (item === undefined) break;
        node = item;
      }
    }
    return node?.offset ?? 0;
  }

  /** The position of the value at a path, or of a character of a string there. */
  placeOf({ path, at, character }: Omit<Finding, "message">): TextPosition {
    const offset = this.#offsetOf(path, at);
    const isText = character !== undefined && this.#text.charAt(offset) === '"';
    return positionOf(this.#text, isText ? offsetInString(this.#text, offset, character) : offset);
  }
}

/** A member of an object, with the offset of its key. */
interface Member {
  readonly key: string;
  readonly offset: number;
  readonly value: Node;
}

/** The members of an object in text order, duplicate keys included. */
export function membersOf({ children = [] }: Node): readonly Member[] {
  return children.flatMap(({ offset, children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ key: String(key.value), offset, value }],
  );
}

/** A mistake in a text, and its position. */
interface Mistake {
  readonly offset: number;
  readonly message: string;
}

interface SyntaxErrors {
  readonly first: ParseError;
  /**
   * The error after this one. The parser goes on after an error, and what it misses next explains the first error.
   */
  readonly next: ParseError | undefined;
  readonly unclosed: number | undefined;
}

function syntaxError(text: string, { first, next, unclosed }: SyntaxErrors): Mistake {
  const { offset, length } = first;
  const error = printParseErrorCode(first.error);
  const found = text.slice(offset, offset + length);
  if (text.trim() === "") {
    return { offset: 0, message: "The file is empty. Write {} for an empty document." };
  }
  if (offset >= text.trimEnd().length) return { offset, message: endsTooEarly(text, unclosed) };
  const before = text.slice(0, offset).trimEnd();
  if (/^[}\]]/.test(found) && before.endsWith(",")) {
    const message = `A comma before "${found}" is not allowed in JSON. Remove it, or name the file .jsonc.`;
    return { offset: before.length - 1, message };
  }
  switch (error) {
    case "InvalidSymbol":
      return { offset, message: wrongWord(found, next) };
    case "CommaExpected": {
      const [digits = ""] = /[-\d]*$/.exec(before) ?? [];
      const isNumber = digits !== "" && /^\d/.test(found) && before.length === offset;
      return isNumber
        ? { offset: offset - digits.length, message: noNumber(showText(digits + found)) }
        : { offset, message: missingComma(found) };
    }
    case "InvalidUnicode":
    case "InvalidEscapeCharacter":
    case "InvalidCharacter":
      return wrongCharacter(found, offset);
    default:
      return { offset, message: messages[error](showText(found)) };
  }
}

function endsTooEarly(text: string, unclosed: number | undefined): string {
  if (unclosed === undefined) return "The file ends too early.";
  const { line } = positionOf(text, unclosed);
  return `The file ends too early: the "${text.charAt(unclosed)}" on line ${line} is not closed.`;
}

type ErrorName = Exclude<
  ReturnType<typeof printParseErrorCode>,
  | "InvalidSymbol"
  | "CommaExpected"
  | "InvalidUnicode"
  | "InvalidEscapeCharacter"
  | "InvalidCharacter"
>;

const openText =
  "The string is not closed on its line. Add the missing double quote, or write a line break as \\n.";

const messages: Readonly<Record<ErrorName, (found: string) => string>> = {
  InvalidNumberFormat: noNumber,
  UnexpectedEndOfNumber: noNumber,
  PropertyNameExpected: (found) => `Expected a key, but found ${found}.`,
  ValueExpected: (found) => `Expected a value, but found ${found}.`,
  ColonExpected: (found) => `A colon is missing before ${found}.`,
  CloseBraceExpected: (found) => `Expected "}", but found ${found}.`,
  CloseBracketExpected: (found) => `Expected "]", but found ${found}.`,
  EndOfFileExpected: (found) =>
    `${found} comes after the end of the document. Remove it, or the bracket that closes too early.`,
  InvalidCommentToken: () => "JSON has no comments. Remove the comment, or name the file .jsonc.",
  UnexpectedEndOfComment: () => `The comment is not closed. Add "*/".`,
  UnexpectedEndOfString: () => openText,
  "<unknown ParseErrorCode>": (found) => `${found} is not valid JSON.`,
};

function noNumber(found: string): string {
  return `${found} is not a JSON number.`;
}

function missingComma(found: string): string {
  return /^[}\]:]/.test(found)
    ? `Expected a comma, but found ${showText(found)}.`
    : `A comma is missing before ${showText(found)}.`;
}

/** The message for characters that mean nothing in JSON. */
function wrongWord(found: string, next: ParseError | undefined): string {
  const missing = next === undefined ? undefined : printParseErrorCode(next.error);
  const shown = showText(found);
  if (found.startsWith("'")) return "A string needs double quotes, not single ones.";
  if (missing === "PropertyNameExpected") return `A key needs double quotes: ${shown}.`;
  if (/^[+.-]?\d/.test(found)) return noNumber(shown);
  if (!/^\w/.test(found)) return `Unexpected ${shown}.`;
  const hint = didYouMean(found, ["true", "false", "null"]);
  return `${shown} is not a JSON value.${hint === "" ? " A string needs double quotes." : hint}`;
}

/** The characters and escapes that a JSON string may contain. */
const rightCharacters = /^"(?:[ -[\]-\uffff]|\\["\\/bfnrt]|\\u[\da-f]{4})*/i;

/** The first invalid character of a string that begins at `offset`. */
function wrongCharacter(found: string, offset: number): Mistake {
  const [right = ""] = rightCharacters.exec(found) ?? [];
  const rest = found.slice(right.length);
  const code = rest.charCodeAt(0).toString(16).padStart(4, "0");
  const message = rest.startsWith("\\")
    ? `"${rest.slice(0, 2)}" is not a JSON escape. Write a backslash as \\\\.`
    : `A string cannot contain this character directly. Write it as \\u${code}.`;
  return { offset: offset + right.length, message };
}
