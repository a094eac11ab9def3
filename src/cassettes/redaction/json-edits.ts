import { nestsTooDeep } from "../../http/json-depth.ts";
import { canonicalJson } from "../canonical-json.ts";
import { type Edit, edited } from "./edits.ts";
import { decodedString, type JsonPiece, walkJson } from "./json-walk.ts";
import { learnFrom, type Redaction, textEdits } from "./redaction.ts";

/** A string of JSON whose edits come from elsewhere: from a text of which it is a part. */
export type OwnEdits = (piece: JsonPiece, text: string) => readonly Edit[] | undefined;

/** What is to be taken out of a valid JSON text: the values at the rules' places, and of each string what is found in it. */
export function jsonEdits(
  text: string,
  redaction: Redaction,
  ownEdits: OwnEdits = () => undefined,
): readonly Edit[] {
  const edits: Edit[] = [];
  const rules = redaction.rules.places.filter(({ head }) => head === "body");
  walkJson(text, rules, (piece) => {
    const token = text.slice(piece.start, piece.end);
    if (piece.rule !== undefined) edits.push(...wholeEdit(piece, token, redaction));
    else if (piece.kind === "string" || piece.kind === "key") {
      const inner = decodedString(token);
      const own = ownEdits(piece, inner) ?? textEdits(inner, redaction);
      if (own.length > 0) edits.push(...editsInToken(own, token, piece.start));
    } else if (piece.kind === "number") {
      const own = textEdits(token, redaction);
      const { start, end } = piece;
      if (own.length > 0) edits.push({ start, end, text: JSON.stringify(edited(token, own)) });
    }
  });
  return edits;
}

/** Nothing is secret about null and the empty text. */
function wholeEdit(
  { kind, start, end, rule }: JsonPiece,
  token: string,
  { placeholders }: Redaction,
): readonly Edit[] {
  if (token === "null" || token === '""') return [];
  const value = kind === "string" ? decodedString(token) : canonicalText(token);
  const text = placeholders.of(value, rule?.as ?? "");
  return text === value ? [] : [{ start, end, text: JSON.stringify(text) }];
}

function canonicalText(token: string): string {
  return nestsTooDeep(token) ? token : canonicalJson(JSON.parse(token));
}

/** Edits of what a JSON string stands for as edits of how it is written. */
function editsInToken(edits: readonly Edit[], token: string, offset: number): readonly Edit[] {
  if (!token.includes("\\")) {
    return edits.map(({ start, end, text }) => ({
      start: offset + 1 + start,
      end: offset + 1 + end,
      text,
    }));
  }
  const places: number[] = [];
  for (const { index } of token.slice(0, -1).matchAll(/\\u.{4}|\\.|[^\\]/gs)) {
    if (index > 0) places.push(offset + index);
  }
  places.push(offset + token.length - 1);
  return edits.map(({ start, end, text }) => ({
    start: places[start] ?? offset,
    end: places[end] ?? offset,
    text,
  }));
}

/** Has the values at the rules' places, and what rules find in strings, looked for in every place. */
export function learnFromJson(text: string, redaction: Redaction): void {
  const { rules, placeholders } = redaction;
  const places = rules.places.filter(({ head }) => head === "body");
  if (places.length === 0 && rules.regexes.length === 0 && !text.includes("@")) return;
  walkJson(text, places, ({ kind, start, end, rule }) => {
    const token = text.slice(start, end);
    if (kind === "array" || kind === "object" || kind === "word") return;
    const inner = kind === "number" ? token : decodedString(token);
    if (rule !== undefined) placeholders.know(inner, rule.as);
    else learnFrom(inner, redaction);
  });
}
