import type { RecordingRules } from "../../core/recordings/cassette.ts";

/** Says what is not used, as far as the rules want that. Throws where it is a failure. */
export function complain(message: string, how: RecordingRules["unusedRecordings"]): void {
  if (how === "fail") throw new Error(message);
  if (how !== "ignore") warn(message);
}

/** Says something to who runs the tests. */
export function warn(message: string): void {
  process.stderr.write(`[backlot] ${message}\n`);
}
