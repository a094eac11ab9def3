import { groupBy } from "../../../core/replay/group-by.ts";
import { isJson } from "../../../core/replay/recorded-body.ts";
import { apart, type Span } from "../../../core/replay/rule-matches.ts";
import { jsonEdits } from "./json-edits.ts";
import {
  type Edit,
  type EventLine,
  editsByPiece,
  hasRulesFor,
  learnFrom,
  type Redaction,
  type TextPiece,
  secretsToFind,
  textEdits,
} from "./redaction.ts";
import { decodedString, walkJson } from "./walk-json.ts";

/**
 * What is to be taken out of the lines of a stream. Texts that come in pieces are looked at as one: what begins in one piece
 * and ends in another stands where it begins.
 */
export function eventEdits(text: string, redaction: Redaction): readonly Edit[] {
  const { isLearning, rules, secrets } = redaction;
  const isSearched = isLearning ? rules.likely.mode !== "ignore" : secrets.size > 0;
  if (!isSearched && !hasRulesFor(text, redaction)) return [];
  const lines = readLines(text, redaction);
  const ofPieces = pieceEdits(text, lines, redaction);
  const looking = secretsToFind(text, redaction);
  const inLines = looking ?? { ...redaction, secrets: new Map() };
  const hasChanged = ({ pieces }: EventLine): boolean =>
    pieces.some(({ start }) => (ofPieces.get(start) ?? []).length > 0);
  const found = lines
    .filter((each) => looking !== undefined || hasChanged(each))
    .flatMap(({ start: offset, end: lineEnd, isJson: isLineJson }) => {
      const content = text.slice(offset, lineEnd);
      const edits = isLineJson
        ? jsonEdits(content, inLines, (start) => ofPieces.get(offset + start))
        : textEdits(content, inLines);
      return edits.map((edit) => ({ ...edit, start: offset + edit.start, end: offset + edit.end }));
    });
  return withLongEdits(text, found, inLines);
}

/** Together with what begins in one line and ends in another, such as a private key. */
function withLongEdits(
  text: string,
  found: readonly Edit[],
  redaction: Redaction,
): readonly Edit[] {
  const isLong = ({ start, end }: Edit): boolean => /[\r\n]/.test(text.slice(start, end));
  const long = redaction.isLearning ? [] : textEdits(text, redaction).filter(isLong);
  return long.length === 0 ? found : apart([...found, ...long]);
}

const field = /^\uFEFF?(?:data|event|id|retry)?:/m;

/** Whether each line of a text is a value of its own, whatever its type says: an event's field, or JSON. */
export function isLined(text: string): boolean {
  if (field.test(text)) return true;
  const first = /^\s*(.+)/.exec(text)?.[1] ?? "";
  return /^[[{]/.test(first) && isJson(first);
}

const line = /(?:data: ?)?(.+)/g;

/** The lines of a text, which is read once to learn from it, and once to take out what was learned. */
function readLines(text: string, { latest }: Redaction): readonly EventLine[] {
  if (latest.text !== text) Object.assign(latest, { text, lines: linesOf(text) });
  return latest.lines;
}

function linesOf(text: string): readonly EventLine[] {
  return Array.from(text.matchAll(line), ({ 0: all, 1: content = "", index }) => {
    const start = index + all.length - content.length;
    const isLineJson = isJson(content);
    const pieces = isLineJson ? piecesIn(content, start) : [];
    return { start, end: start + content.length, isJson: isLineJson, pieces };
  });
}

const lastNames: ReadonlySet<string> = new Set(["content", "text", "response"]);

/** The strings of a line that come in pieces. */
function piecesIn(content: string, offset: number): readonly TextPiece[] {
  const strings: (Span & { readonly names: () => readonly string[] })[] = [];
  walkJson(content, [], ({ kind, start, end, names }) => {
    if (kind === "string") strings.push({ start: offset + start, end: offset + end, names });
  });
  return strings.flatMap(({ start, end, names: namesOf }) => {
    const names = namesOf();
    const isPiece = names.includes("delta") || lastNames.has(names.at(-1) ?? "");
    return isPiece ? [{ start, end, of: JSON.stringify(names) }] : [];
  });
}

/** The edits of the pieces of each text, by where the piece's token is. What is learned needs none. */
function pieceEdits(
  text: string,
  lines: readonly EventLine[],
  redaction: Redaction,
): ReadonlyMap<number, readonly Edit[]> {
  const byText = groupBy(
    lines.flatMap(({ pieces }) => pieces),
    (piece) => piece.of,
  );
  const found = new Map<number, readonly Edit[]>();
  for (const pieces of byText.values()) {
    const texts = pieces.map(({ start, end }) => decodedString(text.slice(start, end)));
    const joined = texts.join("");
    if (redaction.isLearning) learnFrom(joined, redaction);
    const edits = textEdits(joined, redaction);
    if (redaction.isLearning) continue;
    const own = editsByPiece(texts, edits);
    for (const [index, { start }] of pieces.entries()) found.set(start, own[index] ?? []);
  }
  return found;
}
