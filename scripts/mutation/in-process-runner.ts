/**
 * A test runner for Stryker that loads the tests once, and for each mutant runs those that reach it, in the same
 * process. Vitest's own runner loads everything anew for each mutant: a mutant takes a second and more there, and
 * a few milliseconds here.
 */
import type {
  CoverageData,
  InstrumenterContext,
  MutantCoverage,
  StrykerOptions,
} from "@stryker-mutator/api/core";
import type { Logger } from "@stryker-mutator/api/logging";
import { commonTokens, declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import {
  DryRunStatus,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from "@stryker-mutator/api/test-runner";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { collected, type CollectedTest } from "./collected-tests.ts";
import { judgedBefore, judgedReporter, readJudged } from "./judged-changes.ts";
import { messageOf, runTest } from "./run-test.ts";
import { boundsOf, type Effort, StepGuard } from "./step-guard.ts";

/** A test that takes more is no judge: each change that nobody notices has to pass all that reach it. */
const longest: Effort = { steps: 5_000_000, cpuMs: 30_000 };

/** In the sandbox, for the processes that come after the first. */
const effortsFile = "efforts.json";

class InProcessRunner implements TestRunner {
  static readonly inject: [typeof commonTokens.options, typeof commonTokens.logger] = [
    commonTokens.options,
    commonTokens.logger,
  ];
  readonly #files: readonly string[];
  readonly #mutated: readonly string[];
  readonly #coverage: MutantCoverage = { static: {}, perTest: {} };
  readonly #mutants: InstrumenterContext = { mutantCoverage: this.#coverage };
  readonly #guard = new StepGuard();
  readonly #judged: ReadonlyMap<string, MutantRunResult>;
  readonly #log: Logger;
  /** Whether no mutant ran in this process yet. */
  #fresh = true;
  /** Whether a mutant left something behind in this process. */
  #spoilt = false;

  constructor(options: StrykerOptions, log: Logger) {
    const { testFiles, mutate } = options;
    this.#files = Array.isArray(testFiles) ? testFiles.map(String) : [];
    this.#mutated = mutate.flatMap((pattern) => pattern.split("/**")[0] ?? []);
    this.#judged = readJudged(options);
    this.#log = log;
  }

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    Reflect.set(globalThis, "__stryker__", this.#mutants);
    this.#guard.watch(this.#mutants);
    register("./resolve-stand-ins.mjs", import.meta.url);
    // A run that was cut off leaves no process behind.
    process.once("disconnect", () => process.exit());
    await this.#load();
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    const efforts = new Map<string, Effort>();
    for (const test of collected.all()) {
      tests.push(await this.#rehearse(test));
      efforts.set(test.id, this.#guard.taken());
    }
    delete this.#mutants.currentTestId;
    writeFileSync(effortsFile, JSON.stringify([...efforts]));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#coverage };
  }

  /** Runs a test without a mutant, and finds out which ones it reaches. */
  async #rehearse(test: CollectedTest): Promise<TestResult> {
    const { id } = test;
    const { perTest } = this.#coverage;
    this.#mutants.currentTestId = id;
    perTest[id] = noHits();
    const begun = performance.now();
    const outcome = await runTest(test, this.#guard, longest);
    const described = { id, name: id, timeSpentMs: performance.now() - begun };
    if (outcome.kind === "failed" || outcome.kind === "waited") {
      return { ...described, status: TestStatus.Failed, failureMessage: messageOf(outcome) };
    }
    const isTooLong = outcome.kind === "ran on";
    if (isTooLong)
      this.#log.info("Too long for a judge: %s", id.replaceAll(/\s+/g, " ").slice(0, 150));
    perTest[id] = isTooLong ? {} : onlyHits(perTest[id]);
    return { ...described, status: TestStatus.Success };
  }

  async mutantRun({ activeMutant, testFilter }: MutantRunOptions): Promise<MutantRunResult> {
    const before = judgedBefore(this.#judged, activeMutant);
    if (before !== undefined) return before;
    // Stryker starts another process for what fails, and asks there again.
    if (this.#spoilt) throw new Error("An earlier change left something behind.");
    this.#learn();
    const result = await this.#judge(activeMutant.id, new Set(testFilter));
    this.#fresh = false;
    return result;
  }

  async #judge(mutant: string, wanted: ReadonlySet<string>): Promise<MutantRunResult> {
    let nrOfTests = 0;
    for (const test of collected.all()) {
      if (!wanted.has(test.id)) continue;
      nrOfTests += 1;
      this.#guard.activate(mutant);
      const outcome = await runTest(test, this.#guard, boundsOf(collected.effortOf(test)));
      this.#guard.activate(undefined);
      if (outcome.kind === "passed") continue;
      await this.#passesAgain(test);
      if (outcome.kind !== "failed") {
        return { status: MutantRunStatus.Timeout, reason: `${messageOf(outcome)} ${test.id}` };
      }
      const failureMessage = messageOf(outcome);
      return { status: MutantRunStatus.Killed, killedBy: [test.id], failureMessage, nrOfTests };
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  /**
   * What a mutant leaves behind, as in a cache of the module, must not count for the next. So a test that noticed one
   * has to pass without it. Where it does not and an earlier mutant may be why, the mutant is judged in a new process.
   */
  async #passesAgain(test: CollectedTest): Promise<void> {
    const outcome = await runTest(test, this.#guard, boundsOf(collected.effortOf(test)));
    if (outcome.kind === "passed") return;
    this.#spoilt = true;
    if (!this.#fresh) throw new Error(`An earlier change left something behind for ${test.id}.`);
  }

  async #load(): Promise<void> {
    // What is first imported within a test would seem to be that test's, and no other's.
    for (const file of this.#mutated.flatMap(modulesIn)) await import(file);
    for (const file of this.#files) {
      await collected.load(file, () => import(pathToFileURL(resolve(file)).href));
    }
  }

  /** What the first process has found out about the tests. */
  #learn(): void {
    if (collected.isOrdered()) return;
    const efforts: readonly [string, Effort][] = JSON.parse(readFileSync(effortsFile, "utf8"));
    collected.order(new Map(efforts));
  }
}

function modulesIn(folder: string): readonly string[] {
  if (folder.startsWith("!")) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => pathToFileURL(resolve(folder, name)).href);
}

/** A count for each mutant of any room: objects that have them all beforehand count four times as fast. */
function noHits(): CoverageData {
  const hits: CoverageData = {};
  for (let mutant = 0; mutant < 10_000; mutant += 1) hits[mutant] = 0;
  return hits;
}

function onlyHits(hits: CoverageData): CoverageData {
  return Object.fromEntries(Object.entries(hits).filter(([, count]) => count > 0));
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, "in-process", InProcessRunner),
  judgedReporter,
];
