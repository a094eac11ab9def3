import { type ChunkWriter, createChunkWriter } from "./chunk-writer.ts";
import type { CompletionChoice } from "../completion/completion.ts";
import {
  type DeltaPiece,
  deltaOf,
  isDelta,
  joinDeltas,
  logprobsOf,
  openingDelta,
} from "./delta-json.ts";
import type { Draft, PlacedFault } from "./faulty-stream.ts";
import type { Piece, Timeline } from "./timeline.ts";

/** What a draft is made by. */
export interface DraftOptions {
  /** Whether chunks tell that the usage is still to come. */
  readonly includeUsage: boolean;
  /** Whether other streams will have the same frames, which are better texts from the start then. */
  readonly isShared: boolean;
  /** Times are divided by it; 0 means that everything is due at once. */
  readonly speed: number;
  /** That of each choice. */
  readonly timelines: readonly Timeline[];
}

/** Writes a piece of one choice as an event. */
type Renderer = (piece: DeltaPiece) => string;

/**
 * A piece that becomes text when it is sent. The texts of 2,000 streams, kept until they are due, cost the garbage
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

  get data(): string {
    return this.#render(this.#piece);
  }
}

/** Puts the events of a stream together, as they are when nothing goes wrong. Pieces are added in order. */
export class StreamDraft {
  readonly frames: Draft[] = [];
  /** Those among the pieces. */
  readonly faults: PlacedFault[] = [];
  readonly #choices: readonly CompletionChoice[];
  readonly #writer: ChunkWriter;
  readonly #options: DraftOptions;
  readonly #renderers: Renderer[] = [];
  /** The choices whose role is still to come. */
  readonly #unopened: Set<number>;

  constructor(choices: readonly CompletionChoice[], options: DraftOptions) {
    this.#choices = choices;
    this.#writer = createChunkWriter(options.includeUsage);
    this.#options = options;
    this.#unopened = new Set(choices.keys());
  }

  /** Adds a piece of a choice. All roles come before it, save those that come with reasoning. */
  add(at: number, index: number, piece: Piece): void {
    if (piece.kind === "fault") {
      this.faults.push({ fault: piece.fault, place: this.frames.length, at: this.#timeOf(at) });
    } else if (!isDelta(piece)) {
      this.#send(at, "aside", piece.kind === "raw" ? piece.text : commentOf(piece.text));
    } else {
      if (this.#unopened.size > 0) this.#open(at, (choice) => !this.#opensWithReasoning(choice));
      if (this.#unopened.delete(index)) this.#send(at, "chunk", this.#openWith(index, piece));
      else this.#sendPiece(at, piece, this.#rendererOf(index));
    }
  }

  /** Adds all that follows the last piece. */
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

  /** The first chunk of a choice that has its role together with a piece. */
  #openWith(index: number, piece: DeltaPiece): string {
    const delta = deltaOf(piece, this.#choices[index]?.callIds ?? []);
    const opened = joinDeltas(this.#openingOf(index), delta);
    return this.#writer.delta(index, opened, logprobsOf(piece));
  }

  #rendererOf(index: number): Renderer {
    return (this.#renderers[index] ??= (piece) => {
      const delta = deltaOf(piece, this.#choices[index]?.callIds ?? []);
      return this.#writer.delta(index, delta, logprobsOf(piece));
    });
  }

  #openingOf(index: number): string {
    return openingDelta(this.#choices[index]?.steps ?? []);
  }

  /** Such a choice has its role in the first delta of that. */
  #opensWithReasoning(choice: number): boolean {
    const pieces = this.#options.timelines[choice]?.pieces;
    return pieces?.find(({ piece }) => isDelta(piece))?.piece.kind === "reasoning";
  }

  #sendPiece(at: number, piece: DeltaPiece, render: Renderer): void {
    if (this.#options.isShared) this.#send(at, "chunk", render(piece));
    else this.frames.push(new PieceFrame(this.#timeOf(at), piece, render));
  }

  #send(at: number, kind: Draft["kind"], data: string): void {
    const isHeaded = kind === "chunk" || kind === "finish";
    this.frames.push({ at: this.#timeOf(at), data, kind, isHeaded });
  }

  #timeOf(at: number): number {
    const { speed } = this.#options;
    return speed === 0 ? 0 : at / speed;
  }
}

/** A comment in the event stream format: every line of it begins with a colon. */
function commentOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return `${lines.map((line) => `: ${line}`).join("\n")}\n\n`;
}
