import type {
  CompletionToolCall,
  Step,
  Tempo,
  TextKind,
  TextStep,
} from "../completion/completion.ts";
import { withLogprobs } from "./logprob-pieces.ts";
import { cutText } from "../tokens/pieces.ts";
import type { Fault, Pace, TokenLogprob } from "../scripts/script.ts";

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
export interface TimedPiece {
  readonly at: number;
  readonly piece: Piece;
}

/** All pieces of a choice, and when it is over. */
export interface Timeline {
  readonly pieces: readonly TimedPiece[];
  readonly end: number;
}

/** What a timeline depends on besides the choice and its pace. */
export interface TimelineOptions {
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

/** Whether a choice takes any time at all. If not, nobody needs its timeline to know when it ends. */
export function takesTime(steps: readonly Step[], pace: Pace): boolean {
  const { firstTokenMs = 0, gapMs = 0, tokensPerSecond } = pace;
  const waits = steps.some((step) => step.kind === "wait" && step.ms > 0);
  return waits || firstTokenMs > 0 || gapMs > 0 || tokensPerSecond !== undefined;
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
