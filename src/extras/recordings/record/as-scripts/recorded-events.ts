import type { RecordedPart } from "../../../../core/replay/cassette.ts";
import { bodyBytes } from "../../../../core/replay/recorded-body.ts";

/** A server-sent event with data, and when its end was there. */
export interface RecordedEvent {
  readonly atMs: number;
  readonly data: string;
}

/** The events with data in the parts of a stream. One that nothing ends is not among them, unless it is the last. */
export function recordedEvents(parts: readonly RecordedPart[]): readonly RecordedEvent[] {
  const decoder = new TextDecoder();
  const events: RecordedEvent[] = [];
  let rest = "";
  for (const part of parts) {
    rest += decoder.decode(bodyBytes(part), { stream: true });
    // A CR at the end may be half of a line break.
    const whole = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
    const blocks = whole.split(/\r\n\r\n|\n\n|\r\r/);
    rest = (blocks.pop() ?? "") + rest.slice(whole.length);
    for (const block of blocks) addEvent(events, block, part.atMs);
  }
  const last = parts.at(-1);
  // A stream that breaks off in the middle of an event has told nothing by it.
  if (last !== undefined && /^data:\s*\[DONE\]/m.test(rest)) addEvent(events, rest, last.atMs);
  return events;
}

function addEvent(events: RecordedEvent[], block: string, atMs: number): void {
  const lines = block.split(/\r\n|\r|\n/);
  const data = lines.flatMap((line) =>
    line.startsWith("data:") ? [line.slice("data:".length).replace(/^ /, "")] : [],
  );
  if (data.length > 0) events.push({ atMs, data: data.join("\n") });
}
