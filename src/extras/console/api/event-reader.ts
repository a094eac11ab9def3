/** An event of a `text/event-stream`, or a comment of it. */
export interface StreamEvent {
  /** Its text as received, with the empty line that ends it. */
  readonly raw: string;
  /** Default: `message`. Undefined: there are only comments. */
  readonly type: string | undefined;
  readonly data: string;
}

/** Splits the text of a stream into events. The console shows each event's exact text, which a parser does not keep. */
export class EventReader {
  #rest = "";

  /** The events that a piece completes. */
  push(piece: string): readonly StreamEvent[] {
    this.#rest += piece;
    const events: StreamEvent[] = [];
    for (;;) {
      const end = /\r\n\r\n|\n\n|\r\r/.exec(this.#rest);
      if (end === null) return events;
      const cut = end.index + end[0].length;
      events.push(readEvent(this.#rest.slice(0, cut)));
      this.#rest = this.#rest.slice(cut);
    }
  }

  /** The events of a response, those of each piece as it comes. */
  async *eventsOf({ body }: Response): AsyncGenerator<readonly StreamEvent[], void> {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      yield this.push(piece.value);
    }
  }

  /** The text of an event that never ended. */
  get rest(): string {
    return this.#rest;
  }
}

function readEvent(raw: string): StreamEvent {
  const data: string[] = [];
  let type: string | undefined;
  for (const line of raw.split(/\r\n|\n|\r/)) {
    const [, name, value] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === "data") data.push(value ?? "");
    else if (name === "event") type = value;
  }
  return { raw, type: type ?? (data.length > 0 ? "message" : undefined), data: data.join("\n") };
}
