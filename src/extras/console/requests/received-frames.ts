import type { JournalFrame } from "../../../core/emulator/journal/response.ts";
import { EventReader } from "../api/event-reader.ts";
import { frameOf, type ReceivedFrame } from "../parts/frames.ts";

/** The frames of an answer as the time axis has them: those that were not sent at the time that was planned. */
export function receivedFrames(frames: readonly JournalFrame[]): readonly ReceivedFrame[] {
  const made: ReceivedFrame[] = [];
  for (const { data, dueMs, sentMs } of frames) {
    const [event = { raw: data, type: "message", data }] = new EventReader().push(data);
    made.push(frameOf(event, sentMs ?? dueMs, made.at(-1)));
  }
  return made;
}
