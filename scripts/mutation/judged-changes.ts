/** What a run has found out so far, kept on disk so that a run that was cut off goes on where it was. */
import type { Mutant, MutantResult, Position, StrykerOptions } from "@stryker-mutator/api/core";
import { commonTokens, declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { type MutantRunResult, MutantRunStatus } from "@stryker-mutator/api/test-runner";
import type { Reporter } from "@stryker-mutator/api/report";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Change = Pick<Mutant, "fileName" | "location" | "replacement">;

interface Judged {
  readonly key: string;
  readonly result: MutantRunResult;
}

/** Beside the report. Its path is whole, since what runs the tests has another working folder. */
function fileOf({ jsonReporter }: StrykerOptions): string {
  return judgedFile(jsonReporter.fileName);
}

export function judgedFile(report: string): string {
  return report.replace(/json$/, "judged.jsonl");
}

/** One change, by what it replaces and by what: Stryker's numbers may be others in the next run. */
function keyOf({ fileName, location, replacement }: Change, firstLine: number): string {
  const from = fileName.replaceAll("\\", "/").replace(/^.*\/src\//, "src/");
  const place = ({ line, column }: Position): string =>
    `${line - firstLine + 1}:${column - firstLine + 1}`;
  return `${from}:${place(location.start)}-${place(location.end)} ${replacement}`;
}

/** What the changes are made in and judged by; where one of these files is another, nothing is taken over. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const folder of ["src", "test", "fixtures", "scripts/mutation"]) {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    for (const name of names.toSorted()) hash.update(name).update("\0").update(readFileSync(name));
  }
  return hash.update(readFileSync("package-lock.json")).digest("hex");
}

/** Begins the file, or keeps what stands in it where it was made from the same sources. Returns how much that is. */
export function openJudged(file: string): number {
  const head = fingerprint();
  // The last line may have been cut off.
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  const kept = lines[0] === head ? lines : [head];
  writeFileSync(file, `${kept.join("\n")}\n`);
  return kept.length - 1;
}

/** What was found out before this process was started. */
export function readJudged(options: StrykerOptions): ReadonlyMap<string, MutantRunResult> {
  const file = fileOf(options);
  if (!existsSync(file)) return new Map();
  const whole = readFileSync(file, "utf8").split("\n").slice(1, -1);
  return new Map(
    whole.map((line) => {
      const { key, result }: Judged = JSON.parse(line);
      return [key, result];
    }),
  );
}

export function judgedBefore(
  known: ReadonlyMap<string, MutantRunResult>,
  mutant: Change,
): MutantRunResult | undefined {
  return known.get(keyOf(mutant, 0));
}

/** Writes down each change as soon as it is judged. */
class JudgedReporter implements Reporter {
  static readonly inject: [typeof commonTokens.options] = [commonTokens.options];
  readonly #file: string;
  readonly #known: Set<string>;

  constructor(options: StrykerOptions) {
    this.#file = fileOf(options);
    this.#known = new Set(readJudged(options).keys());
  }

  onMutantTested(mutant: Readonly<MutantResult>): void {
    // Stryker counts lines and columns from 0 where it asks for a change, and from 1 where it reports it.
    const key = keyOf(mutant, 1);
    const result = resultOf(mutant);
    if (result === undefined || this.#known.has(key)) return;
    appendFileSync(this.#file, `${JSON.stringify({ key, result } satisfies Judged)}\n`);
  }
}

/** What the runner said of it. Nothing where it was not asked, or failed itself. */
function resultOf(mutant: Readonly<MutantResult>): MutantRunResult | undefined {
  const { status, killedBy = [], statusReason = "", testsCompleted = 0 } = mutant;
  if (status === "Survived") {
    return { status: MutantRunStatus.Survived, nrOfTests: testsCompleted };
  }
  if (status === "Timeout") return { status: MutantRunStatus.Timeout, reason: statusReason };
  if (status !== "Killed") return undefined;
  const nrOfTests = testsCompleted;
  return {
    status: MutantRunStatus.Killed,
    killedBy: [...killedBy],
    failureMessage: statusReason,
    nrOfTests,
  };
}

export const judgedReporter = declareClassPlugin(PluginKind.Reporter, "judged", JudgedReporter);
