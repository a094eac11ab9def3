import { depthProblem } from "../../../core/http/json-body.ts";
import { canonicalJson } from "../replay/request-key.ts";
import { type Edit, applyEdits, placeholderFor, type Redaction, textEdits } from "./redaction.ts";
import { decodedString, type JsonPiece, walkJson } from "./walk-json.ts";

/**
 * The edits that redact a valid JSON text: the values at the places of rules, and secrets within strings. `own` gives
 * the edits of a string that is a piece of a longer text, by the string's position.
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
      if (found.length > 0)
        edits.push({ start, end, text: JSON.stringify(applyEdits(token, found)) });
    } else {
      const found = own(start) ?? textEdits(decodedString(token), redaction);
      edits.push(...tokenEdits(found, text, start));
    }
  });
  return edits;
}

/** Redacts a whole value. Null and an empty text are never secret. */
function wholeEdits(
  { kind, start, end, rule }: JsonPiece,
  token: string,
  redaction: Redaction,
): readonly Edit[] {
  if (token === "null" || token === '""') return [];
  // Only strings and numbers are searched for elsewhere. Arrays and objects are redacted in this place alone.
  if (redaction.isLearning && kind !== "string" && kind !== "number") return [];
  const isWritten = redaction.isLearning || depthProblem(token) !== undefined;
  const plain = isWritten ? token : canonicalJson(JSON.parse(token));
  const value = kind === "string" ? decodedString(token) : plain;
  const text = placeholderFor(value, rule?.as ?? "", redaction);
  return text === value ? [] : [{ start, end, text: JSON.stringify(text) }];
}

/** Converts edits of a decoded JSON string to edits of the JSON text. `start` is the position of the string there. */
function tokenEdits(edits: readonly Edit[], text: string, start: number): readonly Edit[] {
  const last = edits.at(-1);
  if (last === undefined) return [];
  // The position in the JSON text of each character of the string.
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
