/**
 * A test runner for Stryker that loads the tests once, and for each mutant runs those that reach it, in the same
 * process. Vitest's own runner loads everything anew for each mutant: a mutant takes a second and more there, and
 * a few milliseconds here.
 */
import type { InstrumenterContext, StrykerOptions } from "@stryker-mutator/api/core";
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
import { readdirSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { collected, type CollectedTest } from "./collected-tests.ts";

/** How long a test may wait for what a mutant keeps from coming. */
const testTimeoutMs = 3000;

type Outcome =
  | { readonly kind: "passed" | "timed out" }
  | { readonly kind: "failed"; readonly message: string };

class InProcessRunner implements TestRunner {
  static readonly inject: [typeof commonTokens.options] = [commonTokens.options];
  readonly #files: readonly string[];
  readonly #mutated: readonly string[];
  readonly #mutants: InstrumenterContext = {};

  constructor(options: StrykerOptions) {
    const { testFiles, mutate } = options;
    this.#files = Array.isArray(testFiles) ? testFiles.map(String) : [];
    this.#mutated = mutate.flatMap((pattern) => pattern.split("/**")[0] ?? []);
  }

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    Reflect.set(globalThis, "__stryker__", this.#mutants);
    register("./resolve-vitest.mjs", import.meta.url);
  }

  async dryRun(): Promise<DryRunResult> {
    await this.#load();
    const tests: TestResult[] = [];
    for (const test of collected.tests) {
      this.#mutants.currentTestId = test.id;
      const begun = performance.now();
      const outcome = await runTest(test);
      const { id } = test;
      const timeSpentMs = performance.now() - begun;
      const described = { id, name: id, timeSpentMs };
      tests.push(
        outcome.kind === "passed"
          ? { ...described, status: TestStatus.Success }
          : { ...described, status: TestStatus.Failed, failureMessage: messageOf(outcome) },
      );
    }
    delete this.#mutants.currentTestId;
    collected.sortBy(new Map(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs])));
    const { mutantCoverage } = this.#mutants;
    return {
      status: DryRunStatus.Complete,
      tests,
      ...(mutantCoverage !== undefined && { mutantCoverage }),
    };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation } = options;
    const context = this.#mutants;
    if (mutantActivation === "static") context.activeMutant = activeMutant.id;
    await this.#load();
    context.activeMutant = activeMutant.id;
    context.hitCount = 0;
    if (hitLimit === undefined) delete context.hitLimit;
    else context.hitLimit = hitLimit;
    try {
      return await this.#judge(testFilter);
    } finally {
      delete context.activeMutant;
    }
  }

  async #judge(testFilter: readonly string[] | undefined): Promise<MutantRunResult> {
    const wanted = testFilter && new Set(testFilter);
    let nrOfTests = 0;
    for (const test of collected.tests) {
      if (wanted !== undefined && !wanted.has(test.id)) continue;
      nrOfTests += 1;
      const outcome = await runTest(test);
      const { hitCount = 0, hitLimit = Infinity } = this.#mutants;
      if (outcome.kind === "timed out" || hitCount > hitLimit) {
        return { status: MutantRunStatus.Timeout, reason: test.id };
      }
      if (outcome.kind === "failed") {
        const failureMessage = messageOf(outcome);
        return { status: MutantRunStatus.Killed, killedBy: [test.id], failureMessage, nrOfTests };
      }
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  async #load(): Promise<void> {
    if (collected.tests.length > 0) return;
    // What is first imported within a test would seem to be that test's, and no other's.
    for (const file of this.#mutated.flatMap(modulesIn)) await import(file);
    for (const file of this.#files) {
      await collected.load(file, () => import(pathToFileURL(resolve(file)).href));
    }
  }
}

function modulesIn(folder: string): readonly string[] {
  if (folder.startsWith("!")) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => pathToFileURL(resolve(folder, name)).href);
}

async function runTest({ run }: CollectedTest): Promise<Outcome> {
  const ended = new AbortController();
  const late = delay(testTimeoutMs, { kind: "timed out" } as const, { signal: ended.signal });
  try {
    const passed = Promise.resolve(run()).then(() => ({ kind: "passed" }) as const);
    return await Promise.race([passed, late]);
  } catch (error) {
    return { kind: "failed", message: String(error) };
  } finally {
    late.catch(() => undefined);
    ended.abort();
  }
}

function messageOf(outcome: Outcome): string {
  return outcome.kind === "failed" ? outcome.message : outcome.kind;
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, "in-process", InProcessRunner),
];
