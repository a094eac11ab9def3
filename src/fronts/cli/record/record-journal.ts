import { visibleText } from "../../../core/errors/visible-text.ts";
import type { WrittenCassettes } from "../../../core/emulator/sockets/fixture-folder.ts";
import {
  type EmulatorError,
  invalidOption,
  isEmulatorError,
} from "../../../core/errors/emulator-error.ts";
import { counted } from "../../../core/errors/show.ts";
import type { Cassette, RecordingRules } from "../../../core/recordings/cassette.ts";
import type { JsonObject } from "../../../core/schema/json.ts";
import { fetchDirectly } from "../../node/fetch-directly.ts";
import { controlClient } from "../../remote/control-client.ts";
import { loadImportHar } from "../extras.ts";
import { exitCodes, type Io } from "../io.ts";
import { addToCassettes } from "../../node/cassette-folder.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { type FileWrite, writeReason } from "../write-file.ts";
import { basename, resolve } from "node:path";

/** What is recorded from a running server, and where to. */
interface JournalToRecord {
  readonly url: string;
  readonly rules: RecordingRules;
  /** The folder, as the user wrote it. */
  readonly out: string;
}

/** After this many milliseconds, a server is reported as not answering. */
const graceMs = 60_000;

/** Writes the requests in the journal of a running server as cassettes. */
export async function recordJournal({ url, rules, out }: JournalToRecord, io: Io): Promise<number> {
  const advice = {
    start: "Start one with backlot start, or name it with --from-journal.",
    name: "Name the server with --from-journal.",
    token: "Set BACKLOT_CONTROL_TOKEN to the server's token.",
  };
  const { BACKLOT_CONTROL_TOKEN: controlToken } = io.env;
  const ask = controlClient({ url, controlToken, advice, send: fetchDirectly, timeoutMs: graceMs });
  const path = "/requests?format=har";
  const archive = await ask<JsonObject>("read the journal", { path });
  const place = { path: resolve(io.cwd, out), shown: out };
  const { files, remarks } = await writeCassettes(archive, rules, place);
  const { green, yellow } = styleFor(io.stderr, io.env);
  for (const remark of remarks) io.stderr.write(`${yellow(visibleText(remark))}\n`);
  io.stderr.write(
    `${green("recorded")} the journal into ${counted(files.length, "file")} in ${out}\n`,
  );
  return exitCodes.done;
}

/**
 * Adds the answers of an HTTP archive to the cassettes of a folder. Rejects with `ERR_OPTION_INVALID` if it has none, or
 * if they cannot be written.
 */
export async function writeCassettes(
  archive: JsonObject,
  rules: RecordingRules,
  place: Pick<FileWrite, "path" | "shown">,
): Promise<WrittenCassettes> {
  const { importHar } = await loadImportHar();
  const { files, remarks } = importHar(archive, rules);
  if (files.length === 0) {
    throw invalidOption(
      "Cannot record the journal: it has no whole answers of chat or tables. Ask something first.",
    );
  }
  const cassettes = files.map(({ name, text }) => ({
    ...(JSON.parse(text) as Cassette),
    name: basename(name, ".json"),
  }));
  const written = await addToCassettes(place.path, cassettes).catch((error: unknown) => {
    throw isEmulatorError(error) ? error : cannotWrite(place.shown, error);
  });
  return {
    files: written.map((name) => `${place.shown}/${name}`),
    remarks: remarks.map(({ message }) => message),
  };
}

function cannotWrite(shown: string, error: unknown): EmulatorError {
  return invalidOption(
    `Cannot write cassettes into ${JSON.stringify(shown)}: ${writeReason(error)}. Name another folder.`,
    error,
  );
}
