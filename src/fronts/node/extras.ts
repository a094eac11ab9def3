import { loadOnce } from "../../core/http/load-once.ts";
import type { Extras } from "../../core/emulator/extras.ts";
import type { TableFileReader } from "../../core/fixture-set/tables/table-files.ts";
import { embeddingsEndpoints } from "../../extras/embeddings/endpoints.ts";
import { responsesEndpoints } from "../../extras/responses/endpoints.ts";
import { storedCompletionsEndpoints } from "../../extras/stored-completions/endpoints.ts";
import { starbasedbProfile } from "../../extras/starbasedb/profile.ts";

export type { ReceivedPart } from "../../extras/recordings/event-stream.ts";
export type {
  OpenRecording,
  ReceivedAnswer,
  Recorder,
} from "../../extras/recordings/record/recorder.ts";

/** The extras of a server, the same for the command and the Vite plugin. */
export const nodeExtras: Extras = {
  tableProfiles: [starbasedbProfile],
  chatEndpoints: [...responsesEndpoints, ...storedCompletionsEndpoints, ...embeddingsEndpoints],
  replay: loadOnce(
    async () =>
      (await import("../../extras/recordings/replay/answer-with-recordings.ts"))
        .answerWithRecordings,
  ),
  control: async () => (await import("../../core/control/answer-control.ts")).answerControl,
  console: () => import("../../extras/console/page.ts"),
};

/**
 * Reads SQL dumps and database files. Loads SQLite when there is one, and runs dumps in a thread of their own, which
 * ends when `signal` is aborted.
 */
export function tableFileReader(signal?: AbortSignal): TableFileReader {
  return async (files, options) => {
    const [sqlite, { runInThread }] = await Promise.all([
      import("../../extras/sqlite/read-table-files.ts"),
      import("./run-dumps.ts"),
    ]);
    return sqlite.readSqlTables(files, options, (texts, now) =>
      runInThread({ texts, now }, signal),
    );
  };
}

export const readTableFiles: TableFileReader = tableFileReader();

/** Loads the recorder, which makes cassettes of requests and answers. */
export function loadRecorder(): Promise<
  typeof import("../../extras/recordings/record/recorder.ts")
> {
  return import("../../extras/recordings/record/recorder.ts");
}

/** Loads what finds the recordings that a run has made anew. */
export function loadRenewed(): Promise<typeof import("../../extras/recordings/record/renewed.ts")> {
  return import("../../extras/recordings/record/renewed.ts");
}
