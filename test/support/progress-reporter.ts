import type { Writable } from "node:stream";
import {
  MinimalReporter,
  type SerializedError,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from "vitest/node";

/** How a run is shown. */
export interface ProgressOptions {
  /** How long all projects take, such as "two to four minutes". */
  readonly takes?: string;
  /** Whether a person watches: one line is then rewritten. Default: as Vitest sees it. */
  readonly isTTY?: boolean;
  /** The time in milliseconds. */
  readonly now?: () => number;
}

interface Progress {
  readonly files: number;
  done: number;
  passed: number;
  failed: number;
}

/** Milliseconds without a word in a log, and between two pictures on a terminal. */
const longestSilence = 15_000;
const redrawEvery = 100;

const barWidth = 20;
const clearLine = "\r\u001B[K";

/**
 * Vitest's `minimal`, which prints what fails and the counts at the end, with a line for each project as it ends. In
 * between it says how far all are: in a bar on a terminal, in lines elsewhere.
 */
export class ProgressReporter extends MinimalReporter {
  readonly #takes: string | undefined;
  readonly #now: () => number;
  readonly #projects: Map<string, Progress> = new Map();
  #started = 0;
  #lastWord = 0;
  #isShown = false;
  #ticking: NodeJS.Timeout | undefined;

  constructor({ takes, isTTY, now = Date.now }: ProgressOptions = {}) {
    super(isTTY === undefined ? {} : { isTTY });
    this.#takes = takes;
    this.#now = now;
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#projects.clear();
    for (const { project } of specifications) {
      const files = (this.#projects.get(project.name)?.files ?? 0) + 1;
      this.#projects.set(project.name, { files, done: 0, passed: 0, failed: 0 });
    }
    this.#started = this.#lastWord = this.#now();
    this.log(this.#announcement(specifications.length));
    if (this.isTTY) this.#ticking = setInterval(() => this.#draw(), 1_000).unref();
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const progress = this.#projects.get(module.project.name);
    if (progress === undefined) return;
    count(module, progress);
    if (progress.done === progress.files) this.#say(this.#lineOf(module.project.name, progress));
    if (this.isTTY) this.#draw();
    else if (this.#now() - this.#lastWord >= longestSilence) this.#say(this.#overview());
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    clearInterval(this.#ticking);
    this.#clear();
    super.onTestRunEnd(modules, errors, reason);
  }

  override log(...messages: readonly unknown[]): void {
    this.#clear();
    super.log(...messages);
  }

  override error(...messages: readonly unknown[]): void {
    this.#clear();
    super.error(...messages);
  }

  override onUserConsoleLog(...given: Parameters<MinimalReporter["onUserConsoleLog"]>): void {
    this.#clear();
    super.onUserConsoleLog(...given);
  }

  #announcement(files: number): string {
    const parts = [...this.#projects].map(
      ([name, progress]) => `${nameOf(name)} ${progress.files}`,
    );
    const sum = parts.length > 1 ? `, ${files} in all` : "";
    const time = this.#takes === undefined ? "" : ` The whole suite takes ${this.#takes}.`;
    return `Files of tests: ${parts.join(", ")}${sum}.${time}\n`;
  }

  #say(line: string): void {
    this.#lastWord = this.#now();
    this.log(line);
  }

  #lineOf(name: string, { files, passed, failed }: Progress): string {
    const tests = failed > 0 ? `${failed} failed, ${passed} passed` : `${passed} tests`;
    const sign = failed > 0 ? "×" : "✓";
    const within = files === 1 ? "1 file" : `${files} files`;
    return ` ${sign} ${nameOf(name).padEnd(10)} ${tests} in ${within}, ${this.#elapsed()}`;
  }

  #overview(): string {
    const under = [...this.#projects].filter(([, { done, files }]) => done < files);
    const parts = under.map(
      ([name, { done, files }]) => `${nameOf(name)} ${done} of ${files} files`,
    );
    return `   ${this.#elapsed()}: ${parts.join(", ")}`;
  }

  /** The most important part is first, since a narrow terminal cuts the rest. */
  #draw(): void {
    const time = this.#now();
    if (this.#isShown && time - this.#lastWord < redrawEvery) return;
    this.#lastWord = time;
    const all = [...this.#projects.values()];
    const sum = (of: (one: Progress) => number): number => all.reduce((so, one) => so + of(one), 0);
    const [done, files, failed] = [
      sum((one) => one.done),
      sum((one) => one.files),
      sum((one) => one.failed),
    ];
    const share = files === 0 ? 1 : done / files;
    const bar = "=".repeat(Math.floor(share * barWidth)).padEnd(barWidth);
    const failures = failed > 0 ? `, ${failed} failed` : "";
    const text = `[${bar}] ${done} of ${files} files, ${sum((one) => one.passed)} tests${failures}, ${this.#elapsed()}`;
    const out: Writable & { readonly columns?: number } = this.ctx.logger.outputStream;
    this.#isShown = true;
    // The last column stays empty, since some terminals start a new line after it.
    out.write(clearLine + text.slice(0, (out.columns ?? 80) - 1));
  }

  #clear(): void {
    if (this.#isShown) this.ctx.logger.outputStream.write(clearLine);
    this.#isShown = false;
  }

  #elapsed(): string {
    return `${Math.round((this.#now() - this.#started) / 1_000)} s`;
  }
}

/** A file that cannot be loaded has no tests and has failed. */
function count(module: TestModule, progress: Progress): void {
  let failed = 0;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === "passed") progress.passed += 1;
    if (state === "failed") failed += 1;
  }
  progress.failed += failed === 0 && module.state() === "failed" ? 1 : failed;
  progress.done += 1;
}

function nameOf(project: string): string {
  return project === "" ? "all" : project;
}
