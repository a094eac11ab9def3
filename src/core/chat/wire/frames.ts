import type { CompletionChoice, Step } from "../completion/completion.ts";
import type { Draft, PlacedFault } from "../faults/apply-faults.ts";
import { type DeltaPiece, isDelta, type Piece, type Timeline } from "./timeline.ts";

/** Options of frames. */
export interface DraftOptions {
  /** Whether chunks announce the usage. */
  readonly includeUsage: boolean;
  /** Whether other streams will share the frames, so that they should be texts from the start. */
  readonly isShared: boolean;
  /** Divides times; 0 means that everything is due at once. */
  readonly speed: number;
  /** The timeline of each choice. */
  readonly timelines: readonly Timeline[];
}

/** Writes a piece of one choice as an event; `opening` is the delta that comes with the first. */
type Renderer = (piece: DeltaPiece, opening?: string) => string;

/**
 * A piece that becomes text when it is sent. Keeping the texts of 2,000 streams until they are due costs the garbage
 * collector and the caches more than all the rest.
 */
class PieceFrame implements Draft {
  readonly at: number;
  readonly #piece: DeltaPiece;
  readonly #render: Renderer;

  constructor(at: number, piece: DeltaPiece, render: Renderer) {
    this.at = at;
    this.#piece = piece;
    this.#render = render;
  }

  // No properties: a stream may have 65,536 of these.
  get kind(): "chunk" {
    return "chunk";
  }

  get isHeaded(): true {
    return true;
  }

  get isToken(): true {
    return true;
  }

  get data(): string {
    return this.#render(this.#piece);
  }
}

/** Builds the events of a stream without faults. Pieces are added in order. */
export class StreamDraft {
  readonly frames: Draft[] = [];
  /** Faults among the pieces. */
  readonly faults: PlacedFault[] = [];
  readonly #choices: readonly CompletionChoice[];
  readonly #writer: ChunkWriter;
  readonly #options: DraftOptions;
  readonly #renderers: Renderer[] = [];
  /** The choices whose role is not sent yet. */
  readonly #unopened: Set<number>;

  constructor(choices: readonly CompletionChoice[], options: DraftOptions) {
    this.#choices = choices;
    this.#writer = createChunkWriter(options.includeUsage);
    this.#options = options;
    this.#unopened = new Set(choices.keys());
  }

  /** Adds a piece of a choice. All roles come before it, except those that come with reasoning. */
  add(at: number, index: number, piece: Piece): void {
    if (piece.kind === "fault") {
      this.faults.push({ fault: piece.fault, place: this.frames.length, at: this.#timeOf(at) });
    } else if (piece.kind === "outputItem") {
      // Chat completions have no such thing.
    } else if (!isDelta(piece)) {
      this.#send(at, "aside", piece.kind === "raw" ? piece.text : commentOf(piece.text));
    } else {
      if (this.#unopened.size > 0) this.#open(at, (choice) => !this.#opensWithReasoning(choice));
      const render = this.#rendererOf(index);
      if (this.#unopened.delete(index)) {
        this.#send(at, "token", render(piece, this.#openingOf(index)));
      } else if (this.#options.isShared) this.#send(at, "token", render(piece));
      else this.frames.push(new PieceFrame(this.#timeOf(at), piece, render));
    }
  }

  /** Adds what follows the last piece. */
  finish(at: number): void {
    this.#open(at, () => true);
    for (const [index, { finishReason }] of this.#choices.entries()) {
      this.#send(at, "finish", this.#writer.finish(index, finishReason));
    }
    this.#send(at, "done", "data: [DONE]\n\n");
  }

  #open(at: number, isDue: (choice: number) => boolean): void {
    for (const index of this.#unopened) {
      if (!isDue(index)) continue;
      this.#unopened.delete(index);
      this.#send(at, "chunk", this.#writer.delta(index, this.#openingOf(index)));
    }
  }

  #rendererOf(index: number): Renderer {
    return (this.#renderers[index] ??= (piece, opening) => {
      const delta = deltaOf(piece, this.#choices[index]);
      const whole = opening === undefined ? delta : joinDeltas(opening, delta);
      return this.#writer.delta(index, whole, logprobsOf(piece));
    });
  }

  #openingOf(index: number): string {
    return openingDelta(this.#choices[index]?.steps ?? []);
  }

  /** Such a choice has its role in the first delta. */
  #opensWithReasoning(choice: number): boolean {
    const pieces = this.#options.timelines[choice]?.pieces;
    return pieces?.find(({ piece }) => isDelta(piece))?.piece.kind === "reasoning";
  }

  #send(at: number, what: Draft["kind"] | "token", data: string): void {
    const isToken = what === "token";
    const kind = isToken ? "chunk" : what;
    const isHeaded = kind === "chunk" || kind === "finish";
    this.frames.push({ at: this.#timeOf(at), data, kind, isHeaded, isToken });
  }

  #timeOf(at: number): number {
    const { speed } = this.#options;
    return speed === 0 ? 0 : at / speed;
  }
}

/** A comment in the event stream format: each line begins with a colon. */
export function commentOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return `${lines.map((line) => `: ${line}`).join("\n")}\n\n`;
}

/** Writes the chunks after their head, as server-sent events. */
interface ChunkWriter {
  /** The chunk of a choice with a delta and optional logprobs, both as JSON text. */
  readonly delta: (index: number, delta: string, logprobs?: string) => string;
  readonly finish: (index: number, reason: string) => string;
}

/**
 * Makes a writer. Chunks are built as text: an object for each takes three times as long. With `includeUsage` each
 * chunk has `usage: null`. Pieces use join, not `+`: V8 defers concatenation and would copy it for each stream that
 * shares the text.
 */
function createChunkWriter(includeUsage: boolean): ChunkWriter {
  const tail = includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
  const goesOn = `,"finish_reason":null}${tail}`;
  const usual = `,"logprobs":null${goesOn}`;
  return {
    delta: (index, delta, logprobs) => {
      const rest = logprobs === undefined ? usual : `,"logprobs":${logprobs}${goesOn}`;
      return ['{"index":', index, ',"delta":', delta, rest].join("");
    },
    finish: (index, reason) =>
      `{"index":${index},"delta":{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}${tail}`,
  };
}

/** The first delta of a choice, as JSON text. */
function openingDelta(steps: readonly Step[]): string {
  const content = steps.some(({ kind }) => kind === "content") ? '""' : "null";
  return `{"role":"assistant","content":${content},"refusal":null}`;
}

/** The delta of a piece, as JSON text. Written by hand except for ids and names, which is three times as fast. */
function deltaOf(
  piece: DeltaPiece,
  { callIds = [], isFunctionCall = false }: Partial<CompletionChoice> = {},
): string {
  switch (piece.kind) {
    case "content":
      return `{"content":${JSON.stringify(piece.text)}}`;
    case "reasoning":
      return `{"reasoning_content":${JSON.stringify(piece.text)}}`;
    case "refusal":
      return `{"refusal":${JSON.stringify(piece.text)}}`;
    case "toolCall": {
      const { index, name } = piece.call;
      if (isFunctionCall) return JSON.stringify({ function_call: { name, arguments: "" } });
      const head = { index, id: callIds[index], type: "function" };
      return JSON.stringify({ tool_calls: [{ ...head, function: { name, arguments: "" } }] });
    }
    case "arguments":
      if (isFunctionCall) return `{"function_call":{"arguments":${JSON.stringify(piece.text)}}}`;
      return `{"tool_calls":[{"index":${piece.index},"function":{"arguments":${JSON.stringify(piece.text)}}}]}`;
  }
}

/** Both deltas in one. */
function joinDeltas(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`;
}

/** The logprobs of a piece, as JSON text; undefined if it has none. */
function logprobsOf(piece: DeltaPiece): string | undefined {
  if (!("logprobs" in piece) || piece.logprobs === undefined) return undefined;
  const list = JSON.stringify(piece.logprobs);
  return piece.kind === "refusal"
    ? `{"content":null,"refusal":${list}}`
    : `{"content":${list},"refusal":null}`;
}
