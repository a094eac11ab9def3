import type {
  CompletionToolCall,
  Step,
  Tempo,
  TextKind,
  TextStep,
} from "../completion/completion.ts";
import type { Fault, Pace, TokenLogprob } from "../scripts/script.ts";
import { cutText, graphemes, isAscii } from "../tokens/pieces.ts";

/** The smallest thing that a stream sends of a choice. */
export type Piece =
  | {
      readonly kind: TextKind;
      readonly text: string;
      /** The probabilities of its tokens, of content and refusal for those who want them. */
      readonly logprobs?: readonly TokenLogprob[];
    }
  | { readonly kind: "toolCall"; readonly call: CompletionToolCall }
  | { readonly kind: "arguments"; readonly index: number; readonly text: string }
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "fault"; readonly fault: Fault };

/** A piece and when it is due, in milliseconds from the start, at speed 1. */
interface TimedPiece {
  readonly at: number;
  readonly piece: Piece;
}

/** All pieces of a choice, and when it is over. */
export interface Timeline {
  readonly pieces: readonly TimedPiece[];
  readonly end: number;
}

/** What a timeline depends on besides the choice and its pace. */
interface TimelineOptions {
  readonly random: () => number;
  /** About how many pieces of one text there may be. */
  readonly mostPieces?: number;
}

/**
 * Lays the steps of a choice out in time. The first piece is due after `firstTokenMs`, each next one a gap later; waits come
 * on top. Comments and raw bytes take no turn: they are due with the piece before them. Times are computed from
 * the start, so that no rounding adds up.
 */
export function layOut(
  steps: readonly Step[],
  pace: Tempo,
  { random, mostPieces }: TimelineOptions,
): Timeline {
  const pieces: TimedPiece[] = [];
  const jitter = jitterOf(pace, random);
  let turns = 0;
  let waited = 0;
  let now = 0;
  for (const step of steps) {
    if (step.kind === "wait") {
      waited += step.ms;
      now += step.ms;
    } else if (step.kind === "comment" || step.kind === "raw" || step.kind === "fault") {
      pieces.push({ at: now, piece: step });
    } else {
      for (const piece of piecesOf(step, pace, mostPieces)) {
        now = firstAt(pace) + gapsUpTo(turns, pace) + jitter(turns) + waited;
        turns++;
        pieces.push({ at: now, piece });
      }
    }
  }
  return { pieces, end: turns === 0 ? firstAt(pace) + waited : now };
}

function firstAt({ firstTokenMs = 0 }: Pace): number {
  return firstTokenMs;
}

/** Multiplied before it is divided: 3 pieces at 3 a second take 1000 ms and not 999.9. */
function gapsUpTo(turns: number, { tokensPerSecond, gapMs = 0 }: Pace): number {
  return tokensPerSecond === undefined ? turns * gapMs : (turns * 1000) / tokensPerSecond;
}

/** How much the gaps up to a turn, taken in order, are longer or shorter than they should be. */
function jitterOf(pace: Pace, random: () => number): (turn: number) => number {
  const { jitter = 0 } = pace;
  const most = jitter * gapsUpTo(1, pace);
  if (most === 0) return () => 0;
  let total = 0;
  return (turn) => {
    // There is no gap before the first turn. At most a whole gap is taken away, so time never runs backwards.
    if (turn > 0) total += (random() * 2 - 1) * most;
    return total;
  };
}

type SpeakingStep = Exclude<Step, { kind: "wait" | "comment" | "raw" | "fault" }>;

function piecesOf(step: SpeakingStep, pace: Tempo, most?: number): readonly Piece[] {
  if (step.kind !== "toolCall") return textPieces(step, pace, most);
  const { call } = step;
  const parts = cut(call.arguments, pace, most);
  const { index } = call;
  return [
    { kind: "toolCall", call },
    ...parts.map((text): Piece => ({ kind: "arguments", index, text })),
  ];
}

function textPieces(step: TextStep, pace: Tempo, most?: number): readonly Piece[] {
  const { kind, text, whole, logprobs } = step;
  const parts = whole ? [text] : cut(text, pace, most);
  if (logprobs !== undefined) {
    return withLogprobs(parts, logprobs).map((part) => ({ kind, ...part }));
  }
  return parts.map((part) => ({ kind, text: part }));
}

function cut(text: string, { by = "token", tokenizer }: Tempo, most?: number): readonly string[] {
  return cutText(text, by, { most, splitTokens: tokenizer?.split });
}

/** A piece of one of several choices. */
interface ChoicePiece extends TimedPiece {
  /** The choice's index. */
  readonly index: number;
}

/**
 * All choices in one, by time and else in turn. What belongs to no choice (comments, raw bytes, faults) comes once
 * where choices have the very same timeline.
 */
export function mergeTimelines(timelines: readonly Timeline[]): readonly ChoicePiece[] {
  const all = timelines.flatMap((timeline, index) => {
    const isRepeated = timelines.indexOf(timeline) < index;
    return timeline.pieces.flatMap(({ at, piece }, place) =>
      isRepeated && belongsToAll(piece) ? [] : [{ at, place, index, piece }],
    );
  });
  return all.toSorted(
    (left, right) => left.at - right.at || left.place - right.place || left.index - right.index,
  );
}

function belongsToAll({ kind }: Piece): boolean {
  return kind === "comment" || kind === "raw" || kind === "fault";
}

/** A part of a text and the probabilities of its tokens. */
interface LogprobPiece {
  readonly text: string;
  readonly logprobs: readonly TokenLogprob[];
}

/**
 * Divides the tokens of a text among the pieces that it is cut into. Pieces grow until they end where a token does.
 * Tokens that are more than the text come with its last piece.
 */
function withLogprobs(
  parts: readonly string[],
  tokens: readonly TokenLogprob[],
): readonly LogprobPiece[] {
  const text = parts.join("");
  const places = placesOf(tokens);
  const ends = endsOf(parts, bordersIn(text, places));
  let next = 0;
  let start = 0;
  return ends.map((end, index) => {
    const first = next;
    const reach = index === ends.length - 1 ? Infinity : end;
    while (next < tokens.length && (places[next] ?? 0) <= reach) next++;
    const piece = { text: text.slice(start, end), logprobs: tokens.slice(first, next) };
    start = end;
    return piece;
  });
}

/** Where each token ends. */
function placesOf(tokens: readonly TokenLogprob[]): readonly number[] {
  let end = 0;
  return tokens.map(({ token }) => (end += token.length));
}

/** The places of a text where both a token and a grapheme end. */
function bordersIn(text: string, places: readonly number[]): readonly number[] {
  if (isAscii(text) && !text.includes("\r\n")) return inside(places, text);
  const borders = new Set<number>();
  let end = 0;
  for (const unit of graphemes(text)) borders.add((end += unit.length));
  return inside(places, text).filter((place) => borders.has(place));
}

function inside(places: readonly number[], { length }: string): readonly number[] {
  return places.filter((place) => place <= length);
}

/** The ends of the parts, each put off to the next border as long as there is one. */
function endsOf(parts: readonly string[], borders: readonly number[]): readonly number[] {
  const ends: number[] = [];
  let next = 0;
  let end = 0;
  for (const part of parts) {
    end += part.length;
    while (next < borders.length && (borders[next] ?? end) < end) next++;
    const border = borders[next] ?? end;
    if (ends.at(-1) !== border) ends.push(border);
  }
  return ends;
}
