import type { ScriptReply } from "../../../core/chat/scripts/script.ts";
import { type PieceSize, cutText } from "../../../core/chat/tokens/pieces.ts";
import { defined } from "../../../core/schema/json.ts";
import type { RecordedCompletion, RecordedChoice } from "./read-completion.ts";

/** How fast an answer came: when it began, and how far its pieces lay apart. */
export function paceOfRecording(answer: RecordedCompletion): Pick<ScriptReply, "pace"> {
  const { first, last, choices, fault } = answer;
  const [longest] = choices.toSorted((left, right) => right.deltas.length - left.deltas.length);
  if (longest === undefined) return waitOf(first);
  const by = sizeOf(longest);
  // In chunks there are as many pieces as came.
  const pieces = fault?.isAtEnd === true ? longest.deltas.length : countPieces(longest, by);
  return pieces > 1 ? paceFrom(first, (last - first) / (pieces - 1), by) : waitOf(first);
}

/** The pace of what comes as a whole. */
export function waitOf(ms: number): Pick<ScriptReply, "pace"> {
  return paceFrom(ms, 0);
}

function paceFrom(first: number, gap: number, by?: PieceSize): Pick<ScriptReply, "pace"> {
  const pace = defined({
    firstTokenMs: positive(Math.round(first)),
    // Two digits: the error of a thousand pieces is 5 ms.
    gapMs: positive(Math.round(gap * 100) / 100),
    by: by === "token" ? undefined : by,
  });
  return Object.keys(pace).length === 0 ? {} : { pace };
}

function positive(ms: number): number | undefined {
  return ms > 0 ? ms : undefined;
}

/** What the content was cut by, where one of the usual sizes gives the same pieces. */
function sizeOf({ texts: { content = "" }, deltas }: RecordedChoice): PieceSize | undefined {
  const pieces = deltas.flatMap((delta) => (delta.kind === "content" ? [delta.text] : []));
  if (pieces.length < 2) return undefined;
  const sizes: readonly PieceSize[] = ["token", "word", "character", pieces[0]?.length ?? 1];
  return sizes.find((size) => {
    const cut = cutText(content, size);
    return cut.length === pieces.length && cut.every((piece, index) => piece === pieces[index]);
  });
}

/** How many pieces the script's answer has, as it is cut. */
function countPieces({ texts, calls }: RecordedChoice, by: PieceSize = "token"): number {
  const all = [...Object.values(texts), ...calls.map((call) => call.arguments)];
  return all.reduce((sum, text) => sum + cutText(text, by).length, calls.length);
}
