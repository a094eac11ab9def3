import { createParser } from "eventsource-parser";

/** An event or a comment of a `text/event-stream`. */
export interface StreamEvent {
  /** The event's type, `message` by default. Undefined for a comment. */
  readonly type: string | undefined;
  readonly data: string;
}

/** Makes a function that reads a stream: it returns the events that each piece of text completes. */
export function eventReader(): (piece: string) => readonly StreamEvent[] {
  let events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event: type = "message", data }) => events.push({ type, data }),
    onComment: (data) => events.push({ type: undefined, data }),
  });
  return (piece) => {
    events = [];
    parser.feed(piece);
    return events;
  };
}

/** The events of a response, as they arrive. */
export async function* eventsOf({ body }: Response): AsyncGenerator<readonly StreamEvent[], void> {
  const read = eventReader();
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    yield read(piece.value);
  }
}
