import type { Edit } from "./edits.ts";
import { type JoinedText, joinedTexts, readLines } from "./event-lines.ts";
import { findSecrets } from "./find-secrets.ts";
import { jsonEdits, learnFromJson, pieceEdits, tokenEdits } from "./json-edits.ts";
import { decodedString } from "./json-walk.ts";
import type { Line, LineShape } from "./line-shape.ts";
import {
  findsByRules,
  hasRulesFor,
  learnFrom,
  type Redaction,
  type TextEdits,
  ruleEdits,
  textEdits,
} from "./redaction.ts";

/**
 * What is to be taken out of the lines of a stream. Texts that come in pieces, such as the `content` of each `delta`, are
 * looked at as one: what begins in one piece and ends in another stands where it begins.
 */
export function eventEdits(text: string, redaction: Redaction): readonly Edit[] {
  const { everywhere } = redaction.placeholders;
  const hasRules = hasRulesFor(text, redaction);
  if (!hasRules && everywhere.size === 0) return [];
  const lines = linesOf(text, redaction);
  const own = ownEdits(joinedTexts(text, lines), redaction);
  const hasSecrets = findSecrets(text, everywhere).length > 0;
  if (!hasRules && !hasSecrets) return onlyOwn(text, own);
  const reader = new EventReader(text, redaction, {
    own,
    look: hasSecrets ? textEdits : ruleEdits,
  });
  return lines.flatMap((line) => reader.editsOf(line));
}

/** Has what rules find in the lines, and in the texts that come in pieces, looked for in every place. */
export function learnFromEvents(text: string, redaction: Redaction): void {
  if (!hasRulesFor(text, redaction)) return;
  const lines = linesOf(text, redaction);
  const known = new Set<LineShape>();
  for (const line of lines) {
    const { start, end, shape } = line;
    if (shape === undefined) learnFrom(text.slice(start, end), redaction);
    else if (shape.hasTakenWholes) learnFromJson(text.slice(start, end), redaction);
    else {
      if (!known.has(shape)) for (const fixed of shape.fixed) learnFrom(fixed, redaction);
      known.add(shape);
      learnFromHoles(text, line, redaction);
    }
  }
  for (const { text: whole } of joinedTexts(text, lines)) learnFrom(whole, redaction);
}

// oxlint-disable-next-line max-params -- a line of a text
function learnFromHoles(text: string, { shape, places }: Line, redaction: Redaction): void {
  for (const [index, { isString, rule }] of (shape?.holes ?? []).entries()) {
    const token = text.slice(places[2 * index], places[2 * index + 1]);
    const inner = isString ? decodedString(token) : token;
    if (rule === undefined) learnFrom(inner, redaction);
    else redaction.placeholders.know(inner, rule.as);
  }
}

/** The lines of a text, which is looked at several times. */
function linesOf(text: string, redaction: Redaction): readonly Line[] {
  const { lastRead, rules } = redaction;
  if (lastRead?.text === text) return lastRead.lines;
  const lines = readLines(text, rules.inBodies);
  redaction.lastRead = { text, lines };
  return lines;
}

/** The edits of pieces, by where a piece's token is. */
type OwnEdits = ReadonlyMap<number, readonly Edit[]>;

function ownEdits(joined: Iterable<JoinedText>, redaction: Redaction): OwnEdits {
  const own = new Map<number, readonly Edit[]>();
  for (const { text, pieces } of joined) {
    const edits = textEdits(text, redaction);
    let next = 0;
    for (const { at, start, end } of edits.length === 0 ? [] : pieces) {
      const inside: Edit[] = [];
      for (let index = next; index < edits.length; index++) {
        const edit = edits[index];
        if (edit === undefined || edit.start >= end) break;
        if (edit.end <= end) next = index + 1;
        inside.push({
          start: Math.max(edit.start, start) - start,
          end: Math.min(edit.end, end) - start,
          text: edit.start >= start ? edit.text : "",
        });
      }
      if (inside.length > 0) own.set(at, inside);
    }
  }
  return own;
}

function onlyOwn(text: string, own: OwnEdits): readonly Edit[] {
  return [...own]
    .toSorted(([left], [right]) => left - right)
    .flatMap(([at, edits]) => tokenEdits(edits, { text, start: at }));
}

const nothing: readonly Edit[] = [];

/** What is to be taken out of each line. */
class EventReader {
  readonly #text: string;
  readonly #redaction: Redaction;
  readonly #own: OwnEdits;
  readonly #look: TextEdits;
  /** Whether nothing but the holes of a shape's lines has to be looked at. */
  readonly #isPlain: Map<LineShape, boolean> = new Map();

  // oxlint-disable-next-line max-params -- made in one place
  constructor(
    text: string,
    redaction: Redaction,
    { own, look }: { readonly own: OwnEdits; readonly look: TextEdits },
  ) {
    this.#text = text;
    this.#redaction = redaction;
    this.#own = own;
    this.#look = look;
  }

  editsOf(line: Line): readonly Edit[] {
    const { start, end, shape } = line;
    if (shape === undefined)
      return shifted(this.#look(this.#text.slice(start, end), this.#redaction), start);
    return this.#plain(shape) ? this.#ofHoles(line, shape) : this.#ofWhole(line, shape);
  }

  #plain(shape: LineShape): boolean {
    const known = this.#isPlain.get(shape);
    if (known !== undefined) return known;
    const plain = !shape.hasTakenWholes && this.#isFree(shape.fixed);
    this.#isPlain.set(shape, plain);
    return plain;
  }

  #isFree(fixed: ReadonlySet<string>): boolean {
    const { placeholders } = this.#redaction;
    return [...fixed].every(
      (text) =>
        findsByRules(text, this.#redaction).length === 0 &&
        findSecrets(text, placeholders.everywhere).length === 0,
    );
  }

  // oxlint-disable-next-line max-params -- a line and what is known of its shape
  #ofHoles({ places }: Line, { holes }: LineShape): readonly Edit[] {
    let edits = nothing;
    for (const [index, { isString, rule, joinedBy }] of holes.entries()) {
      const start = places[2 * index] ?? 0;
      const piece = {
        kind: isString ? "string" : "number",
        start,
        end: places[2 * index + 1] ?? start,
        rule,
      } as const;
      const own = joinedBy === undefined ? undefined : (this.#own.get(start) ?? nothing);
      const found = pieceEdits(piece, this.#text, {
        redaction: this.#redaction,
        look: this.#look,
        own,
      });
      if (found.length > 0) edits = [...edits, ...found];
    }
    return edits;
  }

  #ofWhole({ start, end, places }: Line, { holes }: LineShape): readonly Edit[] {
    const joined = new Set(
      holes.flatMap(({ joinedBy }, index) => (joinedBy === undefined ? [] : [places[2 * index]])),
    );
    const edits = jsonEdits(this.#text.slice(start, end), this.#redaction, {
      look: this.#look,
      own: (piece) => {
        const at = start + piece.start;
        return joined.has(at) ? (this.#own.get(at) ?? nothing) : undefined;
      },
    });
    return shifted(edits, start);
  }
}

function shifted(edits: readonly Edit[], by: number): readonly Edit[] {
  return edits.map(({ start, end, text }) => ({ start: by + start, end: by + end, text }));
}
