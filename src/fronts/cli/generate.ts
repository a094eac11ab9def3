import { constants } from "node:buffer";
import { readFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { storageFor } from "../../core/emulator/settings.ts";
import { inNumber } from "../../core/errors/counted.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { placeOf } from "../../core/fixture-set/assemble.ts";
import { isReportDue } from "../../core/fixture-set/tables/generate-rows.ts";
import { loadGenerate, type GenerationTarget, type TableGeneration } from "./extras.ts";
import { nodeExtras, readTableFiles } from "../node/extras.ts";
import { exists, type FixturePlace, fixturePlace, isBuiltIn } from "../node/fixture-place.ts";
import { readFixtureTexts } from "../node/fixture-texts.ts";
import { type CommandDefinition, UsageError } from "./command.ts";
import { exitCodes } from "./failure.ts";
import { fixturesHelp } from "./help-text.ts";
import type { Io } from "./io.ts";
import { writeWarnings } from "./load-fixtures.ts";
import { readWhole } from "./option-values.ts";
import { followProgress, groupDigits, type ProgressFollower, Stopped } from "./progress.ts";
import { emulatorSettings, type FixtureFlags, fixtureOptions } from "./settings.ts";
import { styleFor } from "./terminal.ts";
import { pathBelow, writeInPlace } from "./write-file.ts";

/** What `generate` is told. */
export interface GenerateOptions extends FixtureFlags {
  readonly table: string;
  readonly fixtures?: string;
  readonly rows?: number;
  readonly seed?: number;
  readonly replace?: boolean;
  readonly out?: string;
  readonly force?: boolean;
}

export const generateCommand: CommandDefinition = {
  arguments: [
    ["<table>", "a table of the fixtures; its columns, or its templates, tell what rows are"],
    ["[fixtures]", fixturesHelp],
  ],
  options: [
    {
      name: "rows",
      short: "n",
      value: "<n>",
      description: "how many rows, 10,000,000 at most (default: 100)",
      read: readRowCount,
    },
    {
      name: "seed",
      value: "<n>",
      variable: "BACKLOT_SEED",
      description: "the same seed makes the same rows (default: that of the fixtures, else 1)",
      read: readWhole,
    },
    {
      name: "replace",
      description: "instead of the rows that the table has, rather than after them",
      conflicts: "out",
    },
    {
      name: "out",
      short: "o",
      value: "<file>",
      description: "write an array of the rows alone to this file; -: to stdout",
    },
    { name: "force", description: "overwrite the file that --out names" },
    ...fixtureOptions,
  ],
  help: `
Columns with a template in the table's "generate" are made by it, references point at rows that are there,
unique values are unique, keys go on after the greatest. All else goes by the column's name and type.

Examples:
  backlot generate users -n 1000             after the rows of fixtures/tables/users.json
  backlot generate users -n 1000 --replace   in their place
  backlot generate orders shop --seed 7      a table of the fixtures in ./shop
  backlot generate users --out - | jq .      touch no file
`,
  check: ({ force = false, out = "-" }: GenerateOptions) => {
    if (!force || out !== "-") return;
    throw new UsageError("option '--force' is for a file that '--out <file>' names");
  },
  run: generate,
};

const mostRows = 10_000_000;

/** Reads how many rows to make. */
function readRowCount(text: string): number {
  const digits = text.replaceAll(/[_,]/g, "");
  if (/^\d{1,8}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= mostRows) {
    return Number(digits);
  }
  throw new UsageError("Give a whole number from 1 to 10,000,000, such as 1000.");
}

/** Throws `ERR_OPTION_INVALID` where rows would overwrite something, or would make fixtures wrong that are right. */
function refuseOutput(
  { table, out, force }: GenerateOptions,
  place: FixturePlace,
  cwd: string,
): void {
  if (out === "-") return;
  if (out === undefined) {
    if (!isBuiltIn(place, cwd)) return;
    throw refusal(
      "Cannot write into the built-in set. Run backlot init for fixtures of your own, or name a file: --out rows.json.",
    );
  }
  if (isPartOf(place, resolve(cwd, out), cwd)) {
    throw refusal(
      `Cannot write ${JSON.stringify(out)}: it would be read as a part of the fixtures, which have the table ${JSON.stringify(table)} already. Leave out --out to add the rows to that, or name a file elsewhere.`,
    );
  }
  if (force === true || !exists(out, cwd)) return;
  throw refusal(
    `Cannot write ${JSON.stringify(out)}: it is there already. Name another file, or give --force to overwrite it.`,
  );
}

function refusal(message: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", message);
}

/** Whether a file is, or would be, read when these fixtures are. */
function isPartOf(place: FixturePlace, out: string, cwd: string): boolean {
  const below = pathBelow(out, resolve(cwd, place.path));
  if (below === undefined) return false;
  return below === "" || placeOf(below.split(sep).join("/")).kind !== "ignored";
}

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
  const { generateTable } = await loadGenerate();
  const generation = await generateTable(files, {
    ...(seed === undefined ? {} : { seed }),
    layout,
    table,
    count,
    replace,
    skipUnsupported,
    readTableFiles,
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
  const after = before === 0 ? "" : `, after the ${groupDigits(before)} that it had`;
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

async function* textIn(target: GenerationTarget, job: Job): AsyncGenerator<string, void> {
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
  { before, between, after }: Pick<GenerationTarget, "before" | "between" | "after">,
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
  { path }: GenerationTarget,
): AsyncGenerator<string, void> {
  const most = constants.MAX_STRING_LENGTH;
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > most) {
      throw new EmulatorError(
        "ERR_OPTION_INVALID",
        `Cannot write ${JSON.stringify(path)}: it would have more than ${groupDigits(most)} characters, the most that Node reads as one text. Make fewer rows with --rows.`,
      );
    }
    yield piece;
  }
}

function changedMeanwhile({ path }: GenerationTarget): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write ${JSON.stringify(path)}: it was changed by something else meanwhile, and is as that left it. Run the command again.`,
  );
}

function rowsOf(count: number): string {
  return `${groupDigits(count)} ${inNumber(count, "row")}`;
}
