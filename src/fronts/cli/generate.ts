import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { nodeExtras } from "../node/extras.ts";
import { storageFor } from "../../core/emulator/settings.ts";
import { inNumber } from "../../core/errors/counted.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import {
  generateTable,
  type RowTarget,
  type TableGeneration,
} from "../../extras/generate/generate-table.ts";
import { isReportDue } from "../../core/fixture-set/progress.ts";
import { readFixtureTexts } from "../node/fixture-texts.ts";
import { exitCodes } from "./describe-failure.ts";
import { emulatorSettings } from "./emulator-settings.ts";
import { type FixturePlace, fixturePlace } from "../node/fixture-place.ts";
import { followProgress, type ProgressFollower, Stopped } from "./follow-progress.ts";
import type { GenerateOptions } from "./generate-options.ts";
import type { Io } from "./io.ts";
import { grouped } from "./progress-bar.ts";
import { refuseOutput } from "./refuse-output.ts";
import { styleFor } from "./style.ts";
import { writeInPlace } from "./write-file.ts";
import { writeWarnings } from "./write-warnings.ts";

const defaultRows = 100;

/** Makes rows of a table and writes them: after those of its file, or elsewhere. */
export async function generate(options: GenerateOptions, io: Io): Promise<number> {
  const { table, rows: count = defaultRows, out } = options;
  const place = fixturePlace(options.fixtures, io.cwd);
  refuseOutput(options, place, io.cwd);
  const follower = followProgress(io, {
    hidden: out === "-" && io.stdout.isTerminal,
    stopped: io.untilStopped(),
  });
  try {
    const generation = await prepare(options, { place, count, follower, io });
    const job: Job = { table, count, generation, follower, io };
    if (out === "-") return await writeToStdout(job);
    const written = out === undefined ? await writeToFixtures(job) : await writeToFile(job, out);
    follower.clear();
    const { green } = styleFor(io.stdout, io.env);
    io.stdout.write(`${green("generated")} ${rowsOf(count)} of ${table} ${written}\n`);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    follower.clear();
    io.stderr.write("stopped: no file has changed\n");
    return exitCodes.problem;
  } finally {
    follower.clear();
  }
}

async function prepare(
  { table, seed, replace = false, skipUnsupported = false, ...profiles }: GenerateOptions,
  context: {
    readonly place: FixturePlace;
    readonly count: number;
    readonly follower: ProgressFollower;
    readonly io: Io;
  },
): Promise<TableGeneration> {
  const { place, count, follower, io } = context;
  const { layout, files } = readFixtureTexts(place.path, io.cwd);
  const generation = await generateTable(files, {
    ...(seed === undefined ? {} : { seed }),
    layout,
    table,
    count,
    replace,
    skipUnsupported,
    storageFor: storageFor(emulatorSettings(profiles), nodeExtras),
    onProgress: follower.onProgress,
  });
  follower.clear();
  writeWarnings(generation.warnings, io);
  return generation;
}

interface Job {
  readonly table: string;
  readonly count: number;
  readonly generation: TableGeneration;
  readonly follower: ProgressFollower;
  readonly io: Io;
}

/** Into the file that the table is written in, of which nothing else changes. */
async function writeToFixtures(job: Job): Promise<string> {
  const { generation, io } = job;
  const target = generation.target();
  const path = resolve(io.cwd, target.path);
  const check = async (): Promise<void> => {
    if ((await readFile(path, "utf8")) !== target.text) throw changedMeanwhile(target);
  };
  await writeInPlace({ path, shown: target.path, check }, withinLimit(textIn(target, job), target));
  const { before } = generation;
  const after = before === 0 ? "" : `, after the ${grouped(before)} that it had`;
  return `into ${target.path}${after}`;
}

async function writeToFile(job: Job, out: string): Promise<string> {
  await writeInPlace({ path: resolve(job.io.cwd, out), shown: out }, rowsAlone(job));
  return `into ${out}`;
}

/** Stops early when nobody reads any more, as in `backlot generate users --out - | head -3`. */
async function writeToStdout(job: Job): Promise<number> {
  const { stdout } = job.io;
  for await (const piece of rowsAlone(job)) {
    stdout.write(piece);
    if ((await stdout.flushed?.()) === false) break;
  }
  return exitCodes.done;
}

async function* textIn(target: RowTarget, job: Job): AsyncGenerator<string, void> {
  const { text, from, to, before, between, after } = target;
  yield text.slice(0, from);
  yield* rowTexts(job, { before, between, after });
  yield text.slice(to);
}

/** An array of rows, each on a line of its own. */
function rowsAlone(job: Job): AsyncGenerator<string, void> {
  return rowTexts(job, { before: "[\n  ", between: ",\n  ", after: "\n]\n" });
}

/** Characters in a piece: some milliseconds of work. */
const pieceLength = 2 ** 16;

async function* rowTexts(
  { table, count, generation, follower }: Job,
  { before, between, after }: Pick<RowTarget, "before" | "between" | "after">,
): AsyncGenerator<string, void> {
  let piece = before;
  let done = 0;
  for await (const row of generation.rows()) {
    if (done > 0) piece += between;
    piece += JSON.stringify(row);
    done += 1;
    if (isReportDue(done)) await follower.onProgress({ table, done, total: count });
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece + after;
}

/** A file of fixtures is read as one text, whose length has a limit. */
async function* withinLimit(
  pieces: AsyncIterable<string>,
  { path }: RowTarget,
): AsyncGenerator<string, void> {
  const most = constants.MAX_STRING_LENGTH;
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > most) {
      throw new EmulatorError(
        "ERR_OPTION_INVALID",
        `Cannot write ${JSON.stringify(path)}: it would have more than ${grouped(most)} characters, the most that Node reads as one text. Make fewer rows with --rows.`,
      );
    }
    yield piece;
  }
}

function changedMeanwhile({ path }: RowTarget): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write ${JSON.stringify(path)}: it was changed by something else meanwhile, and is as that left it. Run the command again.`,
  );
}

function rowsOf(count: number): string {
  return `${grouped(count)} ${inNumber(count, "row")}`;
}
