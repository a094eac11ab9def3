import type { Step, Tempo, TextStep } from "../completion/completion.ts";
import type { Pace, TokenLogprob } from "../scripts/script.ts";
import { drawDelay } from "../delay.ts";
import { cutText, graphemes } from "../tokens/pieces.ts";

/** The smallest unit that a stream sends of a choice. */
export type Piece = DeltaPiece | Aside;

/** A text or a tool call of one choice. */
export type DeltaPiece =
  | Omit<TextStep, "whole">
  | Extract<Step, { kind: "toolCall" }>
  | { readonly kind: "arguments"; readonly index: number; readonly text: string };

/** What belongs to no choice. */
type Aside = Exclude<Step, TextStep | { kind: "toolCall" | "wait" }>;

/** Whether a piece is a delta of its choice. */
export function isDelta(piece: Piece): piece is DeltaPiece {
  return !isAside(piece);
}

function isAside(piece: Piece | Step): piece is Aside {
  const { kind } = piece;
  return kind === "comment" || kind === "raw" || kind === "fault" || kind === "outputItem";
}

/** A piece and its due time, in milliseconds from the start, at speed 1. */
interface TimedPiece {
  readonly at: number;
  readonly piece: Piece;
}

/** All pieces of a choice, and when it ends. */
export interface Timeline {
  readonly pieces: readonly TimedPiece[];
  readonly end: number;
}

/** What a timeline depends on besides the choice and its pace. */
interface TimelineOptions {
  readonly random: () => number;
  /** The approximate maximum of pieces per text. Default: no limit. */
  readonly mostPieces?: number;
}

/**
 * Lays the steps of a choice out in time. The first piece is due after `firstTokenMs`, each next one a gap later,
 * plus waits. Comments and raw bytes take no turn: they are due with the piece before them. Times are computed from
 * the start, so rounding does not add up.
 */
export function layOut(
  steps: readonly Step[],
  pace: Tempo,
  { random, mostPieces = Infinity }: TimelineOptions,
): Timeline {
  const pieces: TimedPiece[] = [];
  const first = drawDelay(pace.firstTokenMs ?? 0, random);
  const gapsUpTo = gapsOf(pace, random);
  let turns = 0;
  let waited = 0;
  let now = 0;
  for (const step of steps) {
    if (step.kind === "wait") {
      waited += step.ms;
      now += step.ms;
    } else if (isAside(step)) {
      pieces.push({ at: now, piece: step });
    } else {
      for (const piece of piecesOf(step, pace, mostPieces)) {
        now = first + gapsUpTo(turns) + waited;
        turns++;
        pieces.push({ at: now, piece });
      }
    }
  }
  return { pieces, end: turns === 0 ? first + waited : now };
}

/** The sum of the gaps up to a turn. Turns must ascend. */
function gapsOf(pace: Pace, random: () => number): (turn: number) => number {
  const { gapMs = 0, jitter = 0, tokensPerSecond } = pace;
  let total = 0;
  // No gap precedes the first turn.
  if (typeof gapMs === "object") {
    return (turn) => (total += turn === 0 ? 0 : drawDelay(gapMs, random));
  }
  // Multiply before dividing: 3 pieces at 3 per second take 1000 ms, not 999.9.
  const even = (turn: number): number =>
    tokensPerSecond === undefined ? turn * gapMs : (turn * 1000) / tokensPerSecond;
  const most = jitter * even(1);
  if (most === 0) return even;
  return (turn) => {
    // At most a whole gap is subtracted, so time never runs backwards.
    if (turn > 0) total += (random() * 2 - 1) * most;
    return even(turn) + total;
  };
}

function piecesOf(
  step: Exclude<Step, Aside | { kind: "wait" }>,
  pace: Tempo,
  most: number,
): readonly Piece[] {
  if (step.kind !== "toolCall") return textPieces(step, pace, most);
  const { index, arguments: whole } = step.call;
  const parts = cut(whole, pace, most);
  return [step, ...parts.map((text): Piece => ({ kind: "arguments", index, text }))];
}

function textPieces(step: TextStep, pace: Tempo, most: number): readonly Piece[] {
  const { kind, text, whole, logprobs } = step;
  if (logprobs !== undefined && !whole && isCutBy(logprobs, text)) {
    return inGroups(logprobs, Math.max(1, Math.ceil(logprobs.length / most))).map((tokens) => ({
      kind,
      text: tokens.map(({ token }) => token).join(""),
      logprobs: tokens,
    }));
  }
  const parts = whole ? [text] : cut(text, pace, most);
  if (logprobs === undefined) return parts.map((part) => ({ kind, text: part }));
  // Tokens that differ from the text are sent with its end.
  const last = parts.length - 1;
  return parts.map((part, index) => ({
    kind,
    text: part,
    logprobs: index === last ? logprobs : [],
  }));
}

/** Whether tokens make up a text, without ending inside a character. */
function isCutBy(tokens: readonly TokenLogprob[], text: string): boolean {
  const parts = tokens.map(({ token }) => token);
  return parts.join("") === text && parts.flatMap(graphemes).length === graphemes(text).length;
}

function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

function cut(text: string, { by = "token", tokenizer }: Tempo, most: number): readonly string[] {
  return cutText(text, by, { most, splitTokens: tokenizer?.split });
}

/** A piece of one of several choices. */
interface ChoicePiece extends TimedPiece {
  /** The choice's index. */
  readonly index: number;
}

/**
 * All choices in one, by time, then in turn. Pieces of no choice (comments, raw bytes, faults) are sent once if
 * choices share a timeline.
 */
export function mergeTimelines(timelines: readonly Timeline[]): readonly ChoicePiece[] {
  const all = timelines.flatMap((timeline, index) => {
    const isRepeated = timelines.indexOf(timeline) < index;
    return timeline.pieces.flatMap(({ at, piece }, place) =>
      isRepeated && isAside(piece) ? [] : [{ at, place, index, piece }],
    );
  });
  return all.toSorted(
    (left, right) => left.at - right.at || left.place - right.place || left.index - right.index,
  );
}
