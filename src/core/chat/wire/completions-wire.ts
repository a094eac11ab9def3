import {
  callsIn,
  type Completion,
  type CompletionChoice,
  type CompletionToolCall,
  type FullAnswer,
  type Step,
  type Tempo,
  textIn,
  type Usage,
} from "../completion/completion.ts";
import type { ChatContext } from "../context.ts";
import type { Draft } from "../faults/apply-faults.ts";
import { chatFaults } from "../faults/fault-effects.ts";
import { admitRequest } from "../request/admit-request.ts";
import { keepCompletion } from "../keep-completion.ts";
import { withKeys } from "./extra-keys.ts";
import { type DraftOptions, StreamDraft } from "./frames.ts";
import { layOut, mergeTimelines, type Timeline } from "./timeline.ts";
import type { DraftedStream, Wire, WireAnswer } from "./wire.ts";

/** Chat completions: one body of choices, or chunks that end with `[DONE]`. */
export const completionsWire: Wire = {
  admit: admitRequest,
  answerWhole: (answer, context) => {
    const text = bodyOf(answer.completion);
    return { text, keep: () => keepCompletion(() => text, answer, context) };
  },
  draftStream,
  faults: chatFaults,
};

/**
 * The body of a JSON reply, put together from texts, some of which are cached: `JSON.stringify` of the whole takes two
 * microseconds.
 */
function bodyOf({ id, created, model, choices, usage, full, extraBody }: Completion): string {
  const isFull = full !== undefined;
  const all = choices.map((choice, index) => choiceText(choice, index, isFull)).join(",");
  const body = `{"id":${JSON.stringify(id)},"object":"chat.completion","created":${created},"model":${JSON.stringify(model)},"choices":[${all}],"usage":${JSON.stringify(usage)}${endOf(full)}}`;
  return withKeys(body, extraBody);
}

/** The last keys of a body. */
function endOf(full: FullAnswer | undefined): string {
  if (full === undefined) return `,"system_fingerprint":null`;
  return `,"service_tier":${JSON.stringify(full.serviceTier)},"system_fingerprint":"${full.fingerprint}"`;
}

function choiceText(choice: CompletionChoice, index: number, isFull: boolean): string {
  const { finishReason, logprobs, extra } = choice;
  const text = `{"index":${index},"message":${messageText(choice, isFull)},"logprobs":${JSON.stringify(logprobs)},"finish_reason":${JSON.stringify(finishReason)}}`;
  return withKeys(text, extra?.choice);
}

/** The JSON texts of messages by their steps, which other answers may share. */
const messages = new WeakMap<readonly Step[], string>();
const fullMessages = new WeakMap<readonly Step[], string>();

function messageText(
  { steps, callIds, isFunctionCall, isLasting, extra }: CompletionChoice,
  isFull: boolean,
): string {
  const isShared = isLasting && callIds.length === 0;
  const known = isFull ? fullMessages : messages;
  const before = isShared ? known.get(steps) : undefined;
  if (before !== undefined) return before;
  const calls = callsIn(steps);
  const message = JSON.stringify({
    role: "assistant",
    content: textIn(steps, "content"),
    refusal: textIn(steps, "refusal"),
    reasoning_content: textIn(steps, "reasoning") ?? undefined,
    tool_calls:
      calls.length > 0 && !isFunctionCall
        ? calls.map((call) => ({ id: callIds[call.index], ...wholeCall(call) }))
        : undefined,
    function_call: isFunctionCall && calls[0] !== undefined ? functionOf(calls[0]) : undefined,
    annotations: isFull ? [] : undefined,
    ...extra?.message,
  });
  if (isShared) known.set(steps, message);
  return message;
}

function wholeCall(call: CompletionToolCall): object {
  const { type, name, arguments: input } = call;
  return type === "custom"
    ? { type, custom: { name, input } }
    : { type, function: functionOf(call) };
}

function functionOf({ name, arguments: text }: CompletionToolCall): object {
  return { name, arguments: text };
}

/** The options on which a stream depends besides the completion. */
interface StreamOptions extends Pick<DraftOptions, "includeUsage" | "speed"> {
  readonly random: () => number;
}

/** A completion as chunks. */
function draftStream(answer: WireAnswer, context: ChatContext): DraftedStream {
  const { completion, admitted } = answer;
  const { random, speed } = context;
  const includesUsage = admitted.request.includeUsage;
  // A `usage` that a script puts into each chunk replaces the usage of the stream.
  const includeUsage = includesUsage && completion.extraBody?.["usage"] === undefined;
  const { frames, faults } = draftOf(completion, { includeUsage, random, speed });
  return {
    frames: includesUsage ? withUsage(frames, includeUsage ? completion.usage : undefined) : frames,
    faults,
    head: chunkHead(completion),
    keep: () => keepCompletion(() => bodyOf(completion), answer, context),
  };
}

/** The beginning of each chunk of a completion. What follows it may be shared with other completions. */
function chunkHead({ id, created, model, full, extraBody }: Completion): string {
  const common = {
    id,
    object: "chat.completion.chunk",
    created,
    model,
    service_tier: full?.serviceTier,
    system_fingerprint: full?.fingerprint ?? null,
    ...extraBody,
  };
  return `data: ${JSON.stringify(common).slice(0, -1)},"choices":[`;
}

/** Adds a chunk without choices that has the usage, between the last chunk and `[DONE]`. */
function withUsage(frames: readonly Draft[], usage: Usage | undefined): readonly Draft[] {
  const at = frames.at(-1)?.at ?? 0;
  const data = usage === undefined ? "]}\n\n" : `],"usage":${JSON.stringify(usage)}}\n\n`;
  return frames.toSpliced(-1, 0, { kind: "chunk", at, data, isHeaded: true });
}

/** Frames that are shared with other streams of the same steps and options. */
interface SharedStream
  extends Pick<DraftedStream, "frames" | "faults">, Pick<DraftOptions, "includeUsage" | "speed"> {
  readonly pace: Tempo;
}

/**
 * The frames of the last stream by its steps. Streams of one script share frames, since only their heads differ: 2,000
 * concurrent streams take 1.0 to 1.1 times a bare server's CPU with shared frames, 1.2 to 1.3 times without.
 */
const shared = new WeakMap<readonly Step[], SharedStream>();

/**
 * The most frames that are kept. Longer streams are made again each time, which costs less than the memory to keep
 * them.
 */
const mostShared = 1_000;

/** The most pieces of an answer's texts, over all choices. Each is an event of some 200 bytes. */
const mostPieces = 65_536;

function draftOf(
  completion: Completion,
  options: StreamOptions,
): Pick<DraftedStream, "frames" | "faults"> {
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

/**
 * The only choice of a stream whose frames other streams can share: they have the same text, times and ids. Undefined:
 * the frames cannot be shared.
 */
function onlyLasting(
  choices: readonly CompletionChoice[],
  { jitter = 0, firstTokenMs, gapMs }: Tempo,
): CompletionChoice | undefined {
  const [only] = choices;
  const isDrawn = jitter !== 0 || typeof firstTokenMs === "object" || typeof gapMs === "object";
  if (only === undefined || choices.length > 1 || isDrawn) return undefined;
  return only.callIds.length === 0 && only.isLasting ? only : undefined;
}

function isSameTempo(left: Tempo, right: Tempo): boolean {
  return (
    left.by === right.by &&
    left.gapMs === right.gapMs &&
    left.firstTokenMs === right.firstTokenMs &&
    left.tokensPerSecond === right.tokensPerSecond &&
    left.toolCalls === right.toolCalls &&
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
