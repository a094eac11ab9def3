import { invalidOption } from "../../../core/errors/emulator-error.ts";
import { counted } from "../../../core/errors/show.ts";
import type { RecordingRules } from "../../../core/replay/cassette.ts";
import type { JsonObject } from "../../../core/schema/json.ts";
import { controlClient } from "../../remote/control-client.ts";
import { loadImportHar } from "../extras.ts";
import { exitCodes, type Io, printable, styleFor } from "../io.ts";
import { writeFixtureFiles } from "../write-file.ts";
import { basename, resolve } from "node:path";

/** What of a running server is recorded, and where to. */
interface JournalToRecord {
  readonly url: string;
  readonly rules: RecordingRules;
  /** The folder, as the user wrote it. */
  readonly out: string;
}

/** A slower server counts as not answering. */
const graceMs = 60_000;

/** Writes what the journal of a running server has as cassettes. */
export async function recordJournal({ url, rules, out }: JournalToRecord, io: Io): Promise<number> {
  const advice = {
    start: "Start one with backlot start, or name it with --from-journal.",
    name: "Name the server with --from-journal.",
    token: "Set BACKLOT_CONTROL_TOKEN to the server's token.",
  };
  const { BACKLOT_CONTROL_TOKEN: controlToken } = io.env;
  const ask = controlClient({
    url,
    controlToken,
    advice,
    signal: () => AbortSignal.timeout(graceMs),
  });
  const path = "/requests?format=har";
  const archive = await ask<JsonObject>("read the journal", { path });
  const { importHar } = await loadImportHar();
  const { files, remarks } = importHar(archive, rules);
  const { green, yellow } = styleFor(io.stderr, io.env);
  for (const { message } of remarks) io.stderr.write(`${yellow(printable(message))}\n`);
  if (files.length === 0) {
    throw invalidOption(
      `Cannot record from the journal of ${url}: it has no whole answers of chat or tables. Ask something first.`,
    );
  }
  const named = files.map(({ name, text }) => ({ name: basename(name), text }));
  await writeFixtureFiles(named, { path: resolve(io.cwd, out), shown: out, isPrivate: true });
  io.stderr.write(
    `${green("recorded")} the journal into ${counted(files.length, "file")} in ${out}\n`,
  );
  return exitCodes.done;
}
