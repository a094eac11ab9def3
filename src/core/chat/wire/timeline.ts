import {
  type CompletionToolCall,
  isText,
  type Step,
  type Tempo,
  type TextStep,
} from "../completion/completion.ts";
import type { Pace, TokenLogprob } from "../scripts/script.ts";
import { drawDelay } from "../delay.ts";
import { cutText, graphemes } from "../tokens/pieces.ts";

/** The smallest unit that a stream sends of a choice. */
export type Piece = DeltaPiece | Aside;

/** A text or a tool call of one choice. */
export type DeltaPiece = Omit<TextStep, "whole"> | CallPiece;

/** A piece of a tool call: its beginning, or a later part. */
export interface CallPiece {
  readonly kind: "toolCall" | "arguments";
  readonly call: CompletionToolCall;
  /** The part of the arguments that the piece has. */
  readonly text: string;
}

/** A piece that belongs to no choice. */
export type Aside = Exclude<Step, TextStep | { kind: "toolCall" | "wait" }>;

/** Whether a piece is a delta of its choice. */
export function isDelta(piece: Piece): piece is DeltaPiece {
  return deltaKinds.has(piece.kind);
}

const deltaKinds: ReadonlySet<string> = new Set<DeltaPiece["kind"]>([
  "content",
  "reasoning",
  "refusal",
  "toolCall",
  "arguments",
]);

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

/** The options on which a timeline depends besides the choice and its pace. */
interface TimelineOptions {
  readonly random: () => number;
  /** The approximate maximum of pieces per text. Default: no limit. */
  readonly mostPieces?: number;
}

/**
 * Lays the steps of a choice out in time. The first piece is due after `firstTokenMs`, each next one a gap later, plus
 * waits. A piece that is no delta takes no time: it is due with the piece before it. Times are computed from the start,
 * so that rounding errors do not add up.
 */
export function layOut(
  steps: readonly Step[],
  pace: Tempo,
  { random, mostPieces = Infinity }: TimelineOptions,
): Timeline {
  const layout = new Layout(pace, random);
  for (const run of runsOf(steps, pace)) {
    const [step] = run;
    if (step === undefined) continue;
    if (step.kind === "wait") layout.wait(step.ms);
    else if (isText(step)) layout.addAll(textPieces(step, pace, mostPieces));
    else if (step.kind !== "toolCall") layout.addAside(step);
    else {
      const calls = run.flatMap((one) => (one.kind === "toolCall" ? [one.call] : []));
      layout.addAll(inTurn(calls.map((call) => callPieces(call, pace, mostPieces))));
    }
  }
  return layout.finish();
}

/** The steps in runs. A run is one step, or several calls in a row whose pieces are interleaved. */
function runsOf(steps: readonly Step[], { toolCalls }: Pace): readonly (readonly Step[])[] {
  const runs: Step[][] = [];
  for (const step of steps) {
    const before = runs.at(-1);
    const isJoined = step.kind === "toolCall" && before?.[0]?.kind === "toolCall";
    if (isJoined && toolCalls === "interleaved") before?.push(step);
    else runs.push([step]);
  }
  return runs;
}

/** The first item of each list, then the second of each, and so on. */
function inTurn<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat();
}

/** A comment that is repeated until the next step. */
interface Filling {
  readonly from: number;
  readonly comment: Extract<Step, { kind: "comment" }>;
}

/** The most comments that fill one gap, whatever a script says. */
const mostComments = 10_000;

/** The pieces of a choice so far, and the time that they take. */
class Layout {
  readonly #pieces: TimedPiece[] = [];
  readonly #first: number;
  readonly #gapsUpTo: (turn: number) => number;
  #turns = 0;
  #waited = 0;
  #now = 0;
  #filling: Filling | undefined;

  constructor(pace: Pace, random: () => number) {
    this.#first = drawDelay(pace.firstTokenMs ?? 0, random);
    this.#gapsUpTo = gapsOf(pace, random);
  }

  wait(ms: number): void {
    this.#waited += ms;
    this.#now += ms;
  }

  /** Adds deltas, each a gap after the one before. */
  addAll(pieces: readonly DeltaPiece[]): void {
    for (const piece of pieces) {
      this.#moveTo(this.#first + this.#gapsUpTo(this.#turns) + this.#waited);
      this.#turns++;
      this.#pieces.push({ at: this.#now, piece });
    }
  }

  addAside(piece: Aside): void {
    this.#moveTo(this.#now);
    if (piece.kind === "comment" && piece.everyMs !== undefined) {
      this.#filling = { from: this.#now, comment: piece };
    } else this.#pieces.push({ at: this.#now, piece });
  }

  finish(): Timeline {
    this.#moveTo(this.#turns === 0 ? this.#first + this.#waited : this.#now);
    return { pieces: this.#pieces, end: this.#now };
  }

  /** Moves to the time of the next step. If a comment is repeated, it fills the time until then. */
  #moveTo(at: number): void {
    this.#now = at;
    if (this.#filling === undefined) return;
    const { from, comment } = this.#filling;
    this.#filling = undefined;
    const { everyMs = 1, times } = comment;
    const fitting = Math.max(1, Math.ceil((at - from) / everyMs));
    const count = Math.min(times ?? fitting, mostComments);
    for (let sent = 0; sent < count; sent++) {
      this.#pieces.push({ at: from + sent * everyMs, piece: comment });
    }
    // With `times`, the step waits for the last comment, and so does everything after it.
    const late = times === undefined ? 0 : Math.max(0, from + count * everyMs - at);
    this.#waited += late;
    this.#now += late;
  }
}

/** Makes a function that gives the sum of the gaps before a turn. Its calls must have ascending turns. */
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
    // Jitter subtracts at most a whole gap, so that times never descend.
    if (turn > 0) total += (random() * 2 - 1) * most;
    return even(turn) + total;
  };
}

function callPieces(call: CompletionToolCall, pace: Tempo, most: number): readonly CallPiece[] {
  if (pace.toolCalls === "whole") return [{ kind: "toolCall", call, text: call.arguments }];
  const parts = cut(call.arguments, pace, most);
  const rest = parts.map((text): CallPiece => ({ kind: "arguments", call, text }));
  return [{ kind: "toolCall", call, text: "" }, ...rest];
}

function textPieces(step: TextStep, pace: Tempo, most: number): readonly DeltaPiece[] {
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
  // The probabilities of tokens that do not make up the text are sent with its last part.
  const last = parts.length - 1;
  return parts.map((part, index) => ({
    kind,
    text: part,
    logprobs: index === last ? logprobs : [],
  }));
}

/** Whether tokens, joined, are the text, and none of them ends inside a character. */
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
 * The pieces of all choices, by time, then by their place in the choice. If choices share a timeline, a piece of no
 * choice (a comment, raw bytes, a fault) is sent once.
 */
export function mergeTimelines(timelines: readonly Timeline[]): readonly ChoicePiece[] {
  const all = timelines.flatMap((timeline, index) => {
    const isRepeated = timelines.indexOf(timeline) < index;
    return timeline.pieces.flatMap(({ at, piece }, place) =>
      isRepeated && !isDelta(piece) ? [] : [{ at, place, index, piece }],
    );
  });
  return all.toSorted(
    (left, right) => left.at - right.at || left.place - right.place || left.index - right.index,
  );
}
