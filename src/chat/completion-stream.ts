import type { EventStream, Frame } from "../http/event-stream.ts";
import { createChunkWriter } from "./chunk-writer.ts";
import { type Completion, type CompletionChoice, type Step, textIn } from "./completion.ts";
import { layOut, type Piece, type Timeline } from "./timeline.ts";

/** What a stream depends on besides the completion. */
export interface StreamOptions {
  readonly includeUsage: boolean;
  readonly random: () => number;
  /** Times are divided by it; 0 means that everything is due at once. */
  readonly speed: number;
}

/** How many pieces a text is cut into at most, over all choices: each is an event of some 200 bytes. */
const mostPieces = 65_536;

/** A completion as a stream of server-sent events. */
export function completionStream(completion: Completion, options: StreamOptions): EventStream {
  const { choices } = completion;
  const writer = createChunkWriter(completion, options.includeUsage);
  const timelines = timelinesOf(completion, options.random);
  const end = Math.max(...timelines.map((timeline) => timeline.end));
  const opening = choices.map((choice) => openingDelta(choice));
  const frames: Frame[] = [];
  const send = (at: number, data: string): void => {
    frames.push({ at: options.speed === 0 ? 0 : at / options.speed, data });
  };

  /** The choices whose role is still to come. A choice that begins with reasoning has it in that delta. */
  const unopened = new Set(choices.keys());
  const open = (at: number, isDue: (choice: number) => boolean): void => {
    for (const index of unopened) {
      if (!isDue(index)) continue;
      unopened.delete(index);
      send(at, writer.delta(index, opening[index] ?? {}));
    }
  };
  for (const { at, index, piece } of merge(timelines)) {
    if (piece.kind === "fault") continue;
    if (piece.kind === "comment" || piece.kind === "raw") {
      send(at, piece.kind === "raw" ? piece.text : commentOf(piece.text));
      continue;
    }
    open(at, (choice) => !opensWithReasoning(timelines[choice]));
    const role = unopened.delete(index) ? opening[index] : {};
    send(at, writer.delta(index, { ...role, ...deltaOf(piece, choices[index]?.callIds ?? []) }));
  }
  open(end, () => true);
  for (const [index, { finishReason }] of choices.entries()) {
    send(end, writer.finish(index, finishReason));
  }
  if (options.includeUsage) send(end, writer.usage());
  send(end, "data: [DONE]\n\n");
  return { frames, end: { how: "close", at: frames.at(-1)?.at ?? 0 } };
}

/** The timeline of each choice. Choices that say the same come at the same times. */
function timelinesOf({ choices, pace }: Completion, random: () => number): readonly Timeline[] {
  const most = Math.max(1, Math.floor(mostPieces / choices.length));
  const known = new Map<readonly Step[], Timeline>();
  return choices.map(({ steps }) => {
    const timeline = known.get(steps) ?? layOut(steps, pace, { random, mostPieces: most });
    known.set(steps, timeline);
    return timeline;
  });
}

interface ChoicePiece {
  readonly at: number;
  /** The choice's index. */
  readonly index: number;
  readonly piece: Piece;
}

/** All choices in one, by time and else in turn. Comments and raw bytes belong to no choice: the first's count. */
function merge(timelines: readonly Timeline[]): readonly ChoicePiece[] {
  const all = timelines.flatMap(({ pieces }, index) =>
    pieces.flatMap(({ at, piece }, place) =>
      index > 0 && (piece.kind === "comment" || piece.kind === "raw")
        ? []
        : [{ at, place, index, piece }],
    ),
  );
  if (timelines.length === 1) return all;
  return all.toSorted(
    (left, right) => left.at - right.at || left.place - right.place || left.index - right.index,
  );
}

function openingDelta({ steps }: CompletionChoice): object {
  const content = textIn(steps, "content") === null ? null : "";
  return { role: "assistant", content, refusal: null };
}

function opensWithReasoning(timeline: Timeline | undefined): boolean {
  const first = timeline?.pieces.find(({ piece }) => !["comment", "raw"].includes(piece.kind));
  return first?.piece.kind === "reasoning";
}

type DeltaPiece = Exclude<Piece, { kind: "comment" | "raw" | "fault" }>;

function deltaOf(piece: DeltaPiece, callIds: readonly string[]): object {
  switch (piece.kind) {
    case "content":
      return { content: piece.text };
    case "reasoning":
      return { reasoning_content: piece.text };
    case "refusal":
      return { refusal: piece.text };
    case "toolCall": {
      const { index, name } = piece.call;
      const head = { index, id: callIds[index], type: "function" };
      return { tool_calls: [{ ...head, function: { name, arguments: "" } }] };
    }
    case "arguments":
      return { tool_calls: [{ index: piece.index, function: { arguments: piece.text } }] };
  }
}

/** A comment in the event stream format: every line of it begins with a colon. */
function commentOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return `${lines.map((line) => `: ${line}`).join("\n")}\n\n`;
}
