import type { RecordingRules } from "../../core/recordings/cassette.ts";
import { warnOrThrow } from "./warn-or-throw.ts";
import { askedTapes, type TestRecording } from "./recorded-test.ts";
import { tapeFolder } from "./tape-place.ts";
import { describeUnasked, type FinishedFile, unaskedCassettes } from "./unasked-cassettes.ts";

/** Reports the cassettes that no test has requested, after all tests of a file. Throws if that counts as a failure. */
export function finishRecordedFile(
  { path, project, tests }: Pick<FinishedFile, "path" | "project" | "tests">,
  recording: TestRecording,
  { unusedRecordings }: Pick<RecordingRules, "unusedRecordings">,
): void {
  if (unusedRecordings === "ignore") return;
  const root = process.cwd();
  const left = unaskedCassettes({
    path,
    project,
    tests,
    tapeFolder: tapeFolder(path, recording),
    asked: askedTapes,
    root,
  });
  const message = describeUnasked(left, root);
  if (message !== undefined) warnOrThrow(message, unusedRecordings);
}
