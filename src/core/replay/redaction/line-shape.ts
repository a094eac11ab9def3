import type { PlaceRule } from "./compiled-rules.ts";
import type { Span } from "./edits.ts";
import { decodedString, type JsonPiece, walkJson } from "./json-walk.ts";

/** A string or a number that each line of a shape has at the same place. */
export interface Hole {
  readonly isString: boolean;
  /** The rule whose place it is. */
  readonly rule: PlaceRule | undefined;
  /** Whether it is within what a rule takes out as a whole. */
  readonly isTaken: boolean;
  /** Names the place of texts that come piece by piece. Undefined: it is no such text. */
  readonly joinedBy: string | undefined;
}

/** A line of a stream: the data of an event, or all of it. */
export interface Line extends Span {
  /** Undefined: it is no JSON. */
  readonly shape: LineShape | undefined;
  /** Where the holes of the shape begin and end in the whole text, by turns. */
  readonly places: readonly number[];
}

/** A line that is JSON, from `start` on. */
export interface JsonLine extends Span {
  readonly lineStart: number;
}

/** What lines have in common that differ only in strings and numbers. Nearly all events of a stream are of one shape. */
export class LineShape {
  readonly holes: readonly Hole[];
  /** What each line has besides: the names of members, and indexes. */
  readonly fixed: ReadonlySet<string>;
  /** Whether a rule takes out more than a string or a number. */
  readonly hasTakenWholes: boolean;
  /** What stands before each hole, and behind the last one. */
  readonly #between: readonly string[];
  /** Where the JSON begins, from the start of the line. */
  readonly #lead: number;

  // oxlint-disable-next-line max-params -- a line is a place in a text
  constructor(text: string, line: JsonLine, rules: readonly PlaceRule[]) {
    const json = text.slice(line.start, line.end);
    const ruled = ruledPieces(json, rules);
    const between: string[] = [];
    const holes: Hole[] = [];
    const fixed = new Set<string>();
    let from = line.lineStart;
    walkJson(json, [], (piece) => {
      if (!varies(piece)) {
        if (piece.kind !== "word") fixed.add(textOf(json.slice(piece.start, piece.end)));
        return;
      }
      between.push(text.slice(from, line.start + piece.start));
      from = line.start + piece.end;
      holes.push(holeOf(piece, ruled));
    });
    between.push(text.slice(from, line.end));
    this.#lead = line.start - line.lineStart;
    this.holes = holes;
    this.fixed = fixed;
    this.hasTakenWholes = ruled?.hasWholes === true;
    this.#between = between;
  }

  /** The line that begins at a place, if it has this shape. */
  match(text: string, lineStart: number): Line | undefined {
    const places: number[] = [];
    let at = lineStart;
    for (let index = 0; index < this.holes.length; index++) {
      const before = this.#between[index] ?? "";
      if (!text.startsWith(before, at)) return undefined;
      at += before.length;
      const end = this.holes[index]?.isString === true ? stringEnd(text, at) : numberEnd(text, at);
      if (end === -1) return undefined;
      places.push(at, end);
      at = end;
    }
    const rest = this.#between.at(-1) ?? "";
    const end = at + rest.length;
    if (!text.startsWith(rest, at) || !isLineEnd(text, end)) return undefined;
    return { start: lineStart + this.#lead, end, shape: this, places };
  }
}
/** Whether the line that a place is in ends there. */
export function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || isLineTerminator(text.charCodeAt(at));
}

function isLineTerminator(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

const quote = 0x22;
const backslash = 0x5c;

/** The end of the JSON string that begins at a place; -1: there is none on this line. No regular expression: it may be long. */
function stringEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) return -1;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < 0x20 || isLineTerminator(code)) return -1;
    if (code !== backslash) continue;
    at += 1;
    if (!escapes.has(text[at] ?? "")) return -1;
    if (text[at] !== "u") continue;
    if (!/^[\da-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return -1;
    at += 4;
  }
  return -1;
}

/** What may stand behind a backslash. */
const escapes: ReadonlySet<string> = new Set('"\\/bfnrtu');

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function numberEnd(text: string, start: number): number {
  number.lastIndex = start;
  return number.test(text) ? number.lastIndex : -1;
}

/** The index of an element says which text a piece belongs to. */
function varies({ kind, under }: JsonPiece): boolean {
  return kind === "string" || (kind === "number" && under !== "index");
}

function textOf(token: string): string {
  return token.startsWith('"') ? decodedString(token) : token;
}

/** What rules say of the pieces of a line. */
interface RuledPieces {
  /** By where the strings and numbers begin; those within what is taken out are missing. */
  readonly rules: ReadonlyMap<number, PlaceRule | undefined>;
  readonly hasWholes: boolean;
}

function ruledPieces(json: string, rules: readonly PlaceRule[]): RuledPieces | undefined {
  if (rules.length === 0) return undefined;
  const found = new Map<number, PlaceRule | undefined>();
  let hasWholes = false;
  walkJson(json, rules, (piece) => {
    if (varies(piece)) found.set(piece.start, piece.rule);
    else if (piece.rule !== undefined) hasWholes = true;
  });
  return { rules: found, hasWholes };
}

function holeOf(piece: JsonPiece, ruled: RuledPieces | undefined): Hole {
  const { kind, start } = piece;
  const steps = kind === "string" ? piece.steps() : [];
  return {
    isString: kind === "string",
    rule: ruled?.rules.get(start),
    isTaken: ruled !== undefined && !ruled.rules.has(start),
    joinedBy: comesInPieces(steps) ? JSON.stringify(steps) : undefined,
  };
}

const lastSteps: ReadonlySet<string> = new Set(["content", "text", "response"]);

function comesInPieces(steps: readonly string[]): boolean {
  return steps.includes("delta") || lastSteps.has(steps.at(-1) ?? "");
}
