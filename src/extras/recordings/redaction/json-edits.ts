import { nestsTooDeep } from "../../../core/http/json-text.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import {
  type Edit,
  edited,
  hasRulesFor,
  learnFrom,
  type Redaction,
  type TextEdits,
  textEdits,
} from "./redaction.ts";
import { decodedString, type JsonPiece, walkJson } from "./walk-json.ts";

/** How the pieces of a JSON text are looked at. */
export interface JsonLook {
  /** What is to be taken out of a string, or of a number. */
  readonly look?: TextEdits;
  /** A string whose edits come from elsewhere: from a text of which it is a part. */
  readonly own?: (piece: JsonPiece) => readonly Edit[] | undefined;
}

/** What is to be taken out of a valid JSON text: the values at the rules' places, and of each string what is found in it. */
export function jsonEdits(
  text: string,
  redaction: Redaction,
  { look = textEdits, own }: JsonLook = {},
): readonly Edit[] {
  const edits: Edit[] = [];
  walkJson(text, redaction.rules.inBodies, (piece) => {
    const found = pieceEdits(piece, text, { redaction, look, own: own?.(piece) });
    if (found.length > 0) edits.push(...found);
  });
  return edits;
}

/** What is to be taken out of one piece of a text. */
export function pieceEdits(
  { kind, start, end, rule }: Pick<JsonPiece, "kind" | "start" | "end" | "rule">,
  text: string,
  how: {
    readonly redaction: Redaction;
    readonly look: TextEdits;
    readonly own: readonly Edit[] | undefined;
  },
): readonly Edit[] {
  const { redaction, look, own } = how;
  if (rule === undefined && own !== undefined) return tokenEdits(own, { text, start });
  const token = text.slice(start, end);
  if (rule !== undefined) return wholeEdit({ kind, start, end, rule }, token, redaction);
  if (kind === "string" || kind === "key") {
    return tokenEdits(look(decodedString(token), redaction), { text, start });
  }
  if (kind !== "number") return [];
  const edits = look(token, redaction);
  return edits.length === 0 ? edits : [{ start, end, text: JSON.stringify(edited(token, edits)) }];
}

/** Nothing is secret about null and the empty text. */
function wholeEdit(
  { kind, start, end, rule }: Pick<JsonPiece, "kind" | "start" | "end" | "rule">,
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

/** Edits of what the JSON string stands for that begins at a place, as edits of how it is written. */
export function tokenEdits(
  edits: readonly Edit[],
  { text, start: offset }: { readonly text: string; readonly start: number },
): readonly Edit[] {
  if (edits.length === 0) return edits;
  const length = edits.at(-1)?.end ?? 0;
  const isPlain = !text.slice(offset, offset + 1 + length).includes("\\");
  const placeOf = isPlain
    ? (at: number) => offset + 1 + at
    : writtenPlaces(text, offset + 1, length);
  return edits.map((edit) => ({
    start: placeOf(edit.start),
    end: placeOf(edit.end),
    text: edit.text,
  }));
}

/** Where the first characters of a JSON string are written, as many as are asked for, and where the next one would be. */
// oxlint-disable-next-line max-params -- a place in a text
function writtenPlaces(text: string, from: number, count: number): (at: number) => number {
  const places: number[] = [];
  let place = from;
  while (places.length <= count) {
    places.push(place);
    if (text[place] !== "\\") place += 1;
    else place += text[place + 1] === "u" ? 6 : 2;
  }
  return (at) => places[at] ?? from;
}

/** Has the values at the rules' places, and what rules find in strings, looked for in every place. */
export function learnFromJson(text: string, redaction: Redaction): void {
  const { rules, placeholders } = redaction;
  if (!hasRulesFor(text, redaction)) return;
  walkJson(text, rules.inBodies, ({ kind, start, end, rule }) => {
    const token = text.slice(start, end);
    if (kind === "array" || kind === "object" || kind === "word") return;
    const inner = kind === "number" ? token : decodedString(token);
    if (rule !== undefined) placeholders.know(inner, rule.as);
    else learnFrom(inner, redaction);
  });
}
