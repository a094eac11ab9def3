import { findSecrets } from "./find-secrets.ts";
import { jsonEdits, learnFromJson, tokenEdits } from "./json-edits.ts";
import {
  type Edit,
  editsByPiece,
  type EventLine,
  hasRulesFor,
  learnFrom,
  type Redaction,
  ruleEdits,
  type TextEdits,
  type TextPiece,
  textEdits,
} from "./redaction.ts";
import { decodedString, walkJson } from "./walk-json.ts";

/**
 * What is to be taken out of the lines of a stream. Texts that come in pieces are looked at as one: what begins in one piece
 * and ends in another stands where it begins.
 */
export function eventEdits(text: string, redaction: Redaction): readonly Edit[] {
  const { everywhere } = redaction.placeholders;
  const hasRules = hasRulesFor(text, redaction);
  if (!hasRules && everywhere.size === 0) return [];
  const lines = linesOf(text, redaction);
  const ofPieces = pieceEdits(text, lines, redaction);
  const hasSecrets = findSecrets(text, everywhere).length > 0;
  if (!hasRules && !hasSecrets) {
    return lines.flatMap(({ pieces }) =>
      pieces.flatMap(({ start }) => tokenEdits(ofPieces.get(start) ?? [], { text, start })),
    );
  }
  const look = hasSecrets ? textEdits : ruleEdits;
  return lines.flatMap((line) => lineEdits(text, line, { look, ofPieces, redaction }));
}

/** Has what rules find in the lines, and in the texts that come in pieces, looked for in every place. */
export function learnFromEvents(text: string, redaction: Redaction): void {
  if (!hasRulesFor(text, redaction)) return;
  const lines = linesOf(text, redaction);
  for (const { start, end, isJson } of lines) {
    const learn = isJson ? learnFromJson : learnFrom;
    learn(text.slice(start, end), redaction);
  }
  for (const pieces of joinedTexts(text, lines)) {
    learnFrom(pieces.map((piece) => piece.text).join(""), redaction);
  }
}

const line = /(?:data: ?)?(.+)/g;

/** The lines of a text, which is read several times. */
function linesOf(text: string, redaction: Redaction): readonly EventLine[] {
  const { lastRead } = redaction;
  if (lastRead?.text === text) return lastRead.lines;
  const lines = Array.from(text.matchAll(line), ({ 0: all, 1: content = "", index }) => {
    const start = index + all.length - content.length;
    return { start, end: start + content.length, ...readLine(content, start) };
  });
  redaction.lastRead = { text, lines };
  return lines;
}

function readLine(content: string, offset: number): Pick<EventLine, "isJson" | "pieces"> {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return { isJson: false, pieces: [] };
  }
  const pieces: TextPiece[] = [];
  walkJson(content, [], ({ kind, start, end, steps }) => {
    const names = kind === "string" ? steps(value) : [];
    if (!comesInPieces(names)) return;
    pieces.push({ start: offset + start, end: offset + end, of: JSON.stringify(names) });
  });
  return { isJson: true, pieces };
}

const lastSteps: ReadonlySet<string> = new Set(["content", "text", "response"]);

function comesInPieces(steps: readonly string[]): boolean {
  return steps.includes("delta") || lastSteps.has(steps.at(-1) ?? "");
}

/** The texts that come in pieces, each piece with the place of its token in the stream. */
function joinedTexts(
  text: string,
  lines: readonly EventLine[],
): Iterable<readonly { readonly at: number; readonly text: string }[]> {
  const joined = new Map<string, { at: number; text: string }[]>();
  for (const { start: at, end, of } of lines.flatMap(({ pieces }) => pieces)) {
    const pieces = joined.get(of) ?? [];
    joined.set(of, pieces);
    pieces.push({ at, text: decodedString(text.slice(at, end)) });
  }
  return joined.values();
}

/** The edits of pieces, by where a piece's token is. */
type PieceEdits = ReadonlyMap<number, readonly Edit[]>;

// oxlint-disable-next-line max-params -- the lines of a text
function pieceEdits(text: string, lines: readonly EventLine[], redaction: Redaction): PieceEdits {
  const found = new Map<number, readonly Edit[]>();
  for (const pieces of joinedTexts(text, lines)) {
    const texts = pieces.map((piece) => piece.text);
    const edits = textEdits(texts.join(""), redaction);
    if (edits.length === 0) continue;
    for (const [index, own] of editsByPiece(texts, edits).entries()) {
      if (own.length > 0) found.set(pieces[index]?.at ?? 0, own);
    }
  }
  return found;
}

// oxlint-disable-next-line max-params -- a line of a text
function lineEdits(
  text: string,
  { start: offset, end: lineEnd, isJson, pieces }: EventLine,
  how: {
    readonly look: TextEdits;
    readonly ofPieces: PieceEdits;
    readonly redaction: Redaction;
  },
): readonly Edit[] {
  const { look, ofPieces, redaction } = how;
  const content = text.slice(offset, lineEnd);
  const inPieces = new Set(pieces.map(({ start }) => start));
  const edits = isJson
    ? jsonEdits(content, redaction, {
        look,
        own: ({ start }) =>
          inPieces.has(offset + start) ? (ofPieces.get(offset + start) ?? []) : undefined,
      })
    : look(content, redaction);
  return edits.map((edit) => ({ ...edit, start: offset + edit.start, end: offset + edit.end }));
}
