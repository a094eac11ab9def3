import { visibleLines } from "../../core/errors/visible-text.ts";
import type { RecordingRules } from "../../core/recordings/cassette.ts";

/** Reports something about unused recordings, as the rules demand: as a warning, or by throwing. */
export function warnOrThrow(message: string, how: RecordingRules["unusedRecordings"]): void {
  if (how === "fail") throw new Error(visibleLines(message));
  if (how !== "ignore") warn(message);
}

/** Shows a warning to whoever runs the tests. */
export function warn(message: string): void {
  process.stderr.write(`[backlot] ${visibleLines(message)}\n`);
}
