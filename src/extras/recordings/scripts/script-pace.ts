import type { Pace, ScriptReply } from "../../../core/chat/scripts/script.ts";
import { type PieceSize, cutText } from "../../../core/chat/tokens/pieces.ts";
import type { RecordedCompletion, RecordedChoice } from "./read-completion.ts";

/** How fast an answer came: when it began, and how far its pieces lay apart. */
export function paceOfRecording(answer: RecordedCompletion): Pick<ScriptReply, "pace"> {
  const { first, last } = answer.times;
  const [longest] = answer.choices.toSorted((left, right) => deltasIn(right) - deltasIn(left));
  const by = longest === undefined ? undefined : sizeOf(longest);
  const pieces = longest === undefined ? 0 : countPieces(longest, answer, by);
  return paceFrom({
    first,
    gap: pieces > 1 ? (last - first) / (pieces - 1) : 0,
    by: pieces > 1 ? by : undefined,
  });
}

/** The pace of what comes as a whole. */
export function waitOf(ms: number): Pick<ScriptReply, "pace"> {
  return paceFrom({ first: ms, gap: 0, by: undefined });
}

interface Measured {
  readonly first: number;
  readonly gap: number;
  readonly by: PieceSize | undefined;
}

function paceFrom({ first, gap, by }: Measured): Pick<ScriptReply, "pace"> {
  const firstTokenMs = Math.max(0, Math.round(first));
  // Two digits: the error of a thousand pieces is 5 ms.
  const gapMs = Math.max(0, Math.round(gap * 100) / 100);
  const pace: Pace = {
    ...(firstTokenMs === 0 ? {} : { firstTokenMs }),
    ...(gapMs === 0 ? {} : { gapMs }),
    ...(by === undefined || by === "token" ? {} : { by }),
  };
  return Object.keys(pace).length === 0 ? {} : { pace };
}

function deltasIn({ deltas = [] }: RecordedChoice): number {
  return deltas.length;
}

/** What the content was cut by, where one of the usual sizes gives the same pieces. */
function sizeOf({ content = "", deltas = [] }: RecordedChoice): PieceSize | undefined {
  const pieces = deltas.flatMap((delta) => (delta.kind === "content" ? [delta.text] : []));
  if (pieces.length < 2) return undefined;
  const sizes: readonly PieceSize[] = ["token", "word", "character", pieces[0]?.length ?? 1];
  return sizes.find(
    (size) => (typeof size === "string" || size > 0) && isCutBy(content, size, pieces),
  );
}

function isCutBy(text: string, size: PieceSize, pieces: readonly string[]): boolean {
  const cut = cutText(text, size);
  return cut.length === pieces.length && cut.every((piece, index) => piece === pieces[index]);
}

/** How many pieces the script's answer has: as many as chunks where it is in chunks, else as it is cut. */
function countPieces(
  said: RecordedChoice,
  answer: RecordedCompletion,
  by: PieceSize = "token",
): number {
  if (answer.fault?.isAtEnd === true) return deltasIn(said);
  const { content = "", reasoning = "", refusal = "", calls } = said;
  const texts = [content, reasoning, refusal, ...calls.map((call) => call.arguments)];
  const pieces = texts.reduce((sum, text) => sum + cutText(text, by).length, 0);
  return pieces + calls.length;
}
