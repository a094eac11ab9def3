import { tooDeep } from "../../../core/http/json-body.ts";
import { canonicalJson } from "../replay/request-key.ts";
import { type Edit, edited, placeholderFor, type Redaction, textEdits } from "./redaction.ts";
import { decodedString, type JsonPiece, walkJson } from "./walk-json.ts";

/**
 * What is to be taken out of a valid JSON text: the values at the rules' places, and of each string what is found in it.
 * `own` has the edits of strings that are a part of a longer text, by where they begin.
 */
export function jsonEdits(
  text: string,
  redaction: Redaction,
  own: (start: number) => readonly Edit[] | undefined = () => undefined,
): readonly Edit[] {
  const edits: Edit[] = [];
  walkJson(text, redaction.rules.inBodies, (piece) => {
    const { kind, start, end, rule } = piece;
    if (kind !== "string" && kind !== "key" && kind !== "number" && rule === undefined) return;
    const token = text.slice(start, end);
    if (rule !== undefined) {
      edits.push(...wholeEdits(piece, token, redaction));
    } else if (kind === "number") {
      const found = textEdits(token, redaction);
      if (found.length > 0) edits.push({ start, end, text: JSON.stringify(edited(token, found)) });
    } else {
      const found = own(start) ?? textEdits(decodedString(token), redaction);
      edits.push(...tokenEdits(found, text, start));
    }
  });
  return edits;
}

/** Nothing is secret about null and the empty text. */
function wholeEdits(
  { kind, start, end, rule }: JsonPiece,
  token: string,
  redaction: Redaction,
): readonly Edit[] {
  if (token === "null" || token === '""') return [];
  // An array or an object is a value in its own place only, and a number elsewhere is found as it is written.
  if (redaction.isLearning && kind !== "string" && kind !== "number") return [];
  const isWritten = redaction.isLearning || tooDeep(token) !== undefined;
  const plain = isWritten ? token : canonicalJson(JSON.parse(token));
  const value = kind === "string" ? decodedString(token) : plain;
  const text = placeholderFor(value, rule?.as ?? "", redaction);
  return text === value ? [] : [{ start, end, text: JSON.stringify(text) }];
}

/** Edits of what the JSON string stands for that begins at a place of a text, as edits of how it is written. */
function tokenEdits(edits: readonly Edit[], text: string, start: number): readonly Edit[] {
  const last = edits.at(-1);
  if (last === undefined) return [];
  // Where the first characters of the string are written, and where the next one would be.
  const places: number[] = [];
  let place = start + 1;
  while (places.length <= last.end) {
    places.push(place);
    if (text[place] !== "\\") place += 1;
    else place += text[place + 1] === "u" ? 6 : 2;
  }
  return edits.map((edit) => ({
    start: places[edit.start] ?? start,
    end: places[edit.end] ?? start,
    text: edit.text,
  }));
}
