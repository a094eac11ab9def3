import type { EventStream } from "../../http/event-stream.ts";
import type { Completion, CompletionChoice, Step, Tempo, Usage } from "../completion/completion.ts";
import { type Draft, faultyStream, placeFault } from "../faults/apply-faults.ts";
import { type DraftOptions, StreamDraft } from "./frames.ts";
import { layOut, mergeTimelines, type Timeline } from "./timeline.ts";

/** What a stream depends on besides the completion. */
interface StreamOptions extends Pick<DraftOptions, "includeUsage" | "speed"> {
  readonly random: () => number;
}

/** A completion as a stream of server-sent events. All its faults happen, whatever their probability. */
export function completionStream(completion: Completion, options: StreamOptions): EventStream {
  const { fault, usage } = completion;
  const drafted = draftOf(completion, options);
  const { faults } = drafted;
  const frames = options.includeUsage ? withUsage(drafted.frames, usage) : drafted.frames;
  const head = chunkHead(completion);
  if (fault === undefined && faults.length === 0) {
    return { frames, head, end: { how: "close", at: frames.at(-1)?.at ?? 0 } };
  }
  const all = fault === undefined ? faults : [placeFault(fault, frames), ...faults];
  return { ...faultyStream(frames, all), head };
}

/** The head of each chunk of a completion. The rest may be shared with other completions. */
function chunkHead({ id, created, model }: Completion): string {
  const common = { id, object: "chat.completion.chunk", created, model, system_fingerprint: null };
  return `data: ${JSON.stringify(common).slice(0, -1)},"choices":[`;
}

/** The usage is in a chunk without choices, between the last one and `[DONE]`. */
function withUsage(frames: readonly Draft[], usage: Usage): readonly Draft[] {
  const at = frames.at(-1)?.at ?? 0;
  const data = `],"usage":${JSON.stringify(usage)}}\n\n`;
  return frames.toSpliced(-1, 0, { kind: "chunk", at, data, isHeaded: true });
}

/** The frames of a stream, with its faults. */
type DraftedStream = Pick<StreamDraft, "frames" | "faults">;

/** Frames that are shared with other streams of the same steps and options. */
interface SharedStream extends DraftedStream, Pick<DraftOptions, "includeUsage" | "speed"> {
  readonly pace: Tempo;
}

/**
 * The last frames per list of steps. Streams of one script share them, since only their heads differ: 2,000
 * concurrent streams take 1.0 to 1.1 times a bare server's CPU with shared frames, 1.2 to 1.3 times without.
 */
const shared = new WeakMap<readonly Step[], SharedStream>();

/** Longer streams are made again each time, which costs less than the memory to keep them. */
const mostShared = 1_000;

/** The most pieces of a text, over all choices: each is an event of some 200 bytes. */
const mostPieces = 65_536;

function draftOf(completion: Completion, options: StreamOptions): DraftedStream {
  const { choices, pace, tokenizer } = completion;
  const { includeUsage, speed, random } = options;
  const tempo = { ...pace, tokenizer };
  const only = onlyLasting(choices, tempo);
  const before = only === undefined ? undefined : shared.get(only.steps);
  if (
    before?.includeUsage === includeUsage &&
    before.speed === speed &&
    isSameTempo(before.pace, tempo)
  ) {
    return before;
  }
  const timelines = timelinesOf(choices, tempo, random);
  const isShared = only !== undefined && (timelines[0]?.pieces.length ?? 0) <= mostShared;
  const draft = new StreamDraft(choices, { includeUsage, speed, isShared, timelines });
  for (const { at, index, piece } of mergeTimelines(timelines)) draft.add(at, index, piece);
  draft.finish(Math.max(...timelines.map(({ end }) => end)));
  const { frames, faults } = draft;
  if (isShared) shared.set(only.steps, { frames, faults, pace: tempo, includeUsage, speed });
  return { frames, faults };
}

/** The only choice of a stream, if others will have the same text at the same times, ids included. */
function onlyLasting(
  choices: readonly CompletionChoice[],
  { jitter = 0 }: Tempo,
): CompletionChoice | undefined {
  const [only] = choices;
  if (only === undefined || choices.length > 1 || jitter !== 0) return undefined;
  return only.callIds.length === 0 && only.isLasting ? only : undefined;
}

function isSameTempo(left: Tempo, right: Tempo): boolean {
  return (
    left.by === right.by &&
    left.gapMs === right.gapMs &&
    left.firstTokenMs === right.firstTokenMs &&
    left.tokensPerSecond === right.tokensPerSecond &&
    left.tokenizer === right.tokenizer
  );
}

/** The timeline of each choice. Choices with the same steps share it. */
function timelinesOf(
  choices: readonly CompletionChoice[],
  tempo: Tempo,
  random: () => number,
): readonly Timeline[] {
  const most = Math.max(1, Math.floor(mostPieces / choices.length));
  const known = new Map<readonly Step[], Timeline>();
  return choices.map(({ steps }) => {
    const timeline = known.get(steps) ?? layOut(steps, tempo, { random, mostPieces: most });
    known.set(steps, timeline);
    return timeline;
  });
}
