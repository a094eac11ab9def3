import type { CompletionChoice, Step } from "../completion/completion.ts";
import type { Draft, PlacedFault } from "../faults/apply-faults.ts";
import { withKeys } from "./extra-keys.ts";
import { type Aside, type DeltaPiece, isDelta, type Piece, type Timeline } from "./timeline.ts";

/** Options of frames. */
export interface DraftOptions {
  /** Whether chunks have `usage: null`, since the usage comes at the end. */
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
 * A frame that makes its text when it is sent. Keeping the texts of 2,000 streams until they are due costs the garbage
 * collector and the CPU's caches more than everything else.
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

  // Getters instead of properties save memory: a stream may have 65,536 of these frames.
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
    this.#writer = createChunkWriter(options.includeUsage, choices);
    this.#options = options;
    this.#unopened = new Set(choices.keys());
  }

  /**
   * Adds a piece of a choice. Before the first piece come the roles of all choices, except of those that begin with
   * reasoning.
   */
  add(at: number, index: number, piece: Piece): void {
    if (piece.kind === "fault") {
      this.faults.push({ fault: piece.fault, place: this.frames.length, at: this.#timeOf(at) });
    } else if (piece.kind === "outputItem") {
      // Chat completions have no such thing.
    } else if (!isDelta(piece)) {
      const kind = piece.kind === "json" ? "chunk" : "aside";
      this.frames.push({ at: this.#timeOf(at), data: asideData(piece), kind, isHeaded: false });
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
      const opening = this.#opened(index, this.#openingOf(index));
      this.#send(at, "chunk", this.#writer.delta(index, opening));
    }
  }

  #rendererOf(index: number): Renderer {
    return (this.#renderers[index] ??= (piece, opening) => {
      const delta = deltaOf(piece, this.#choices[index]);
      return this.#writer.delta(
        index,
        opening === undefined ? delta : this.#opened(index, joinDeltas(opening, delta)),
        logprobsOf(piece),
      );
    });
  }

  #openingOf(index: number): string {
    return openingDelta(this.#choices[index]?.steps ?? []);
  }

  /** The first delta, with the keys that a script adds to it. */
  #opened(index: number, delta: string): string {
    return withKeys(delta, this.#choices[index]?.extra?.delta);
  }

  /** Whether a choice begins with reasoning. Its role is then in the same delta. */
  #opensWithReasoning(choice: number): boolean {
    const pieces = this.#options.timelines[choice]?.pieces;
    return pieces?.find(({ piece }) => isDelta(piece))?.piece.kind === "reasoning";
  }

  #send(at: number, what: Exclude<Draft["kind"], "aside"> | "token", data: string): void {
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

/** The data that is sent for a piece that belongs to no choice. */
function asideData(piece: Exclude<Aside, { kind: "fault" | "outputItem" }>): string | Uint8Array {
  switch (piece.kind) {
    case "comment":
      return commentOf(piece.text);
    case "raw":
      return piece.text;
    case "json":
      return `data: ${piece.text}\n\n`;
    case "bytes":
      return piece.bytes;
  }
}

/** A comment in the event stream format, in which each line begins with a colon. */
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
function createChunkWriter(
  includeUsage: boolean,
  choices: readonly CompletionChoice[],
): ChunkWriter {
  const tail = includeUsage ? `],"usage":null}\n\n` : "]}\n\n";
  const end = `,"finish_reason":null}`;
  const usual = `,"logprobs":null${end}${tail}`;
  const extraOf = (index: number): object | undefined => choices[index]?.extra?.choice;
  return {
    delta: (index, delta, logprobs) => {
      const extra = extraOf(index);
      if (logprobs === undefined && extra === undefined) {
        return ['{"index":', index, ',"delta":', delta, usual].join("");
      }
      const choice = `{"index":${index},"delta":${delta},"logprobs":${logprobs ?? null}${end}`;
      return withKeys(choice, extra) + tail;
    },
    finish: (index, reason) => {
      const choice = `{"index":${index},"delta":{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}`;
      return withKeys(choice, extraOf(index)) + tail;
    },
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
      const { call, text } = piece;
      const { index, type, name } = call;
      if (isFunctionCall) return JSON.stringify({ function_call: { name, arguments: text } });
      const said = type === "custom" ? { name, input: text } : { name, arguments: text };
      return JSON.stringify({ tool_calls: [{ index, id: callIds[index], type, [type]: said }] });
    }
    case "arguments": {
      const text = JSON.stringify(piece.text);
      if (isFunctionCall) return `{"function_call":{"arguments":${text}}}`;
      const { index, type } = piece.call;
      const said =
        type === "custom" ? `"custom":{"input":${text}}` : `"function":{"arguments":${text}}`;
      return `{"tool_calls":[{"index":${index},${said}}]}`;
    }
  }
}

/** Two deltas joined into one. */
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
