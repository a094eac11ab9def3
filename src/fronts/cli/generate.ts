import { readFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { storageFor } from "../../core/settings/resolve-settings.ts";
import { inNumber } from "../../core/errors/show.ts";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import { placeOf } from "../../core/fixture-set/assemble.ts";
import type { Row } from "../../core/store/value.ts";
import { loadGenerate, type GenerationTarget, type TableGeneration } from "./extras.ts";
import { nodeExtras, readTableFiles } from "../node/extras.ts";
import { exists, type FixturePlace, fixturePlace, isBuiltIn } from "../node/fixture-place.ts";
import { readFixtureTexts } from "../node/fixture-texts.ts";
import { type CommandDefinition, UsageError, readWhole } from "./command.ts";
import { exitCodes, type Io, writePieces } from "./io.ts";
import { styleFor } from "../node/terminal-style.ts";
import { fixturesHelp } from "./help-text.ts";
import { writeWarnings } from "./load-fixtures.ts";
import { followProgress, groupDigits, type ProgressFollower, Stopped } from "./progress.ts";
import { emulatorSettings, type FixtureFlags, fixtureOptions } from "./flags.ts";
import { pathBelow, writeInPlace } from "./write-file.ts";

/** The options of `generate`. */
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
    ["<table>", "a table of the fixtures; its columns or templates shape the rows"],
    ["[fixtures]", fixturesHelp],
  ],
  options: [
    {
      flags: "-n, --rows <n>",
      description: "number of rows, at most 1,000,000 (default: 100)",
      read: readRowCount,
    },
    {
      flags: "--seed <n>",
      variable: "BACKLOT_SEED",
      description: "seed of the rows (default: the fixtures' seed, else 1)",
      read: readWhole,
    },
    {
      flags: "--replace",
      description: "replace the table's rows instead of adding to them",
      conflicts: "out",
    },
    {
      flags: "-o, --out <file>",
      description: "write only the new rows, as an array, to this file (- for stdout)",
    },
    { flags: "--force", description: "overwrite the file of --out" },
    ...fixtureOptions,
  ],
  help: `
A template in the table's "generate" makes its column. References point at existing rows, unique values are
unique, and keys continue after the largest. Other values fit the column's name and type.

Examples:
  backlot generate users -n 1000             after the rows of fixtures/tables/users.json
  backlot generate users -n 1000 --replace   in their place
  backlot generate orders shop --seed 7      a table of the fixtures in ./shop
  backlot generate users --out - | jq .      change no file
`,
  check: ({ force = false, out = "-" }: GenerateOptions) => {
    if (!force || out !== "-") return;
    throw new UsageError("option '--force' needs '--out <file>'");
  },
  run: generate,
};

const mostRows = 1_000_000;

/** Reads the number of rows. */
function readRowCount(text: string): number {
  const digits = text.replaceAll(/[_,]/g, "");
  if (/^\d{1,7}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= mostRows) {
    return Number(digits);
  }
  throw new UsageError("Give a whole number from 1 to 1,000,000, such as 1000.");
}

/** Throws `ERR_OPTION_INVALID` if the rows would overwrite something, or would break valid fixtures. */
function refuseOutput(
  { table, out, force }: GenerateOptions,
  place: FixturePlace,
  cwd: string,
): void {
  if (out === "-") return;
  if (out === undefined) {
    if (!isBuiltIn(place, cwd)) return;
    throw invalidOption(
      "Cannot write into the built-in set. Run backlot init to get your own fixtures, or name a file: --out rows.json.",
    );
  }
  if (isPartOf(place, resolve(cwd, out), cwd)) {
    throw invalidOption(
      `Cannot write ${JSON.stringify(out)}: it would be read as part of the fixtures, which already have the table ${JSON.stringify(table)}. Leave out --out to add the rows to it, or name a file elsewhere.`,
    );
  }
  if (force === true || !exists(out, cwd)) return;
  throw invalidOption(
    `Cannot write ${JSON.stringify(out)}: it already exists. Name another file, or add --force to overwrite it.`,
  );
}

/** Whether a file is, or would be, part of these fixtures. */
function isPartOf(place: FixturePlace, out: string, cwd: string): boolean {
  const below = pathBelow(out, resolve(cwd, place.path));
  if (below === undefined) return false;
  if (below === "") return true;
  const { kind } = placeOf(below.split(sep).join("/"));
  return kind !== "ignored" && kind !== "rest";
}

const defaultRows = 100;

/** Generates rows of a table and writes them: appended to its file, or elsewhere. */
export async function generate(options: GenerateOptions, io: Io): Promise<number> {
  const { table, rows: count = defaultRows, out } = options;
  const place = fixturePlace(options.fixtures, io.cwd);
  refuseOutput(options, place, io.cwd);
  const follower = followProgress(io, {
    hidden: out === "-" && io.stdout.isTerminal,
    stopped: io.untilStopped(),
  });
  try {
    const generation = await prepare(options, follower, io);
    if (out === "-") {
      await writePieces(io.stdout, rowTexts(await generation.rows(), rowsAlone));
      return exitCodes.done;
    }
    const written =
      out === undefined
        ? await writeToFixtures(generation, io)
        : await writeToFile(out, await generation.rows(), io);
    follower.clear();
    const { green } = styleFor(io.stdout, io.env);
    const rows = `${groupDigits(count)} ${inNumber(count, "row")}`;
    io.stdout.write(`${green("generated")} ${rows} of ${table} ${written}\n`);
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
  options: GenerateOptions,
  follower: ProgressFollower,
  io: Io,
): Promise<TableGeneration> {
  const { table, seed, rows: count = defaultRows, replace = false, ...others } = options;
  const { skipUnsupported = false, fixtures, ...profiles } = others;
  const { layout, files } = readFixtureTexts(fixturePlace(fixtures, io.cwd).path, io.cwd);
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

/** Writes into the table's own file, and changes nothing else in it. */
async function writeToFixtures(generation: TableGeneration, io: Io): Promise<string> {
  const target = generation.target();
  const { path: shown, text, from, to } = target;
  const path = resolve(io.cwd, shown);
  const rows = await generation.rows();
  const check = async (): Promise<void> => {
    if ((await readFile(path, "utf8")) === text) return;
    throw invalidOption(
      `Cannot write ${JSON.stringify(shown)}: another program changed it in the meantime, so it was left alone. Run the command again.`,
    );
  };
  function* pieces(): Generator<string, void> {
    yield text.slice(0, from);
    yield* rowTexts(rows, target);
    yield text.slice(to);
  }
  await writeInPlace({ path, shown, check }, pieces());
  const { before } = generation;
  const after = before === 0 ? "" : `, after the existing ${groupDigits(before)}`;
  return `into ${shown}${after}`;
}

async function writeToFile(out: string, rows: readonly Row[], io: Io): Promise<string> {
  await writeInPlace({ path: resolve(io.cwd, out), shown: out }, rowTexts(rows, rowsAlone));
  return `into ${out}`;
}

/** An array of rows, one per line. */
const rowsAlone = { before: "[\n  ", between: ",\n  ", after: "\n]\n" };

/** Rows per piece of text, which take a few milliseconds to generate. */
const rowsPerPiece = 1_000;

function* rowTexts(
  rows: readonly Row[],
  { before, between, after }: Pick<GenerationTarget, "before" | "between" | "after">,
): Generator<string, void> {
  yield before;
  for (let at = 0; at < rows.length; at += rowsPerPiece) {
    const texts = rows.slice(at, at + rowsPerPiece).map((row) => JSON.stringify(row));
    yield (at === 0 ? "" : between) + texts.join(between);
  }
  yield after;
}
