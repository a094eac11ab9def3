import { setImmediate as nextTurn } from "node:timers/promises";
import { FuzzGuards } from "./fuzz-guards.ts";
import type { FuzzKind, FuzzWorld, Problem } from "./fuzz-kind.ts";
import { HeapBound, heapInUse } from "./heap.ts";
import { newProblem } from "./known-problems.ts";
import { Random } from "./random.ts";
import { shrinkInput } from "./shrink-input.ts";
import { Stopwatch } from "./stopwatch.ts";

/** Which inputs are tried, and how patiently. */
export interface FuzzRange {
  readonly seed: number;
  /** The number of the first input. Default 0. */
  readonly from?: number;
  readonly count: number;
  /** Milliseconds that an answer may take. Default 1,000. */
  readonly slowMs?: number;
  /** How many different findings end a run. Default 20. */
  readonly mostFindings?: number;
  /** After how many inputs the heap is swept and looked at. Default 5,000. */
  readonly heapEvery?: number;
  /** Ends the run early, with a report of what was tried. */
  readonly signal?: AbortSignal;
  /** Told of the next input's number, often: also of the same one, while a finding is made smaller. */
  readonly onProgress?: (next: number) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** A way to something that is wrong. */
export interface Finding {
  readonly kind: string;
  readonly index: number;
  readonly problem: string;
  /** The fewest and shortest inputs that were found to lead there, one after the other. */
  readonly inputs: readonly unknown[];
  /** False: they did not lead there when they were tried again. */
  readonly again: boolean;
}

/** What a run came to. */
export interface FuzzReport {
  readonly kind: string;
  readonly next: number;
  readonly tried: number;
  readonly findings: readonly Finding[];
  /** Bytes in use after each 5,000 inputs, swept. One that is too large is among the findings. */
  readonly heap: readonly number[];
}

/** Tries inputs of one kind. */
export interface Fuzzer {
  readonly name: string;
  readonly run: (range: FuzzRange) => Promise<FuzzReport>;
  /** Tries inputs one after the other, as a finding has them. */
  readonly replay: (inputs: readonly unknown[], slowMs?: number) => Promise<Problem>;
}

const blockSize = 500;
const heapEvery = 5_000;
/** So long nothing may come, 10 s. */
const stuckTicks = 100;
const tickMs = 100;
const shrinking = { tries: 1_500, ms: 30_000 };

/** Makes a fuzzer of a kind of inputs. */
export function fuzzerOf<Input>(kind: FuzzKind<Input>): Fuzzer {
  return {
    name: kind.name,
    run: (range) => new FuzzRun(kind, range).run(),
    // Inputs of a corpus are as they were written.
    replay: (inputs, slowMs) => replayInputs(kind, inputs as readonly Input[], slowMs),
  };
}

class FuzzRun<Input> {
  readonly #kind: FuzzKind<Input>;
  readonly #range: FuzzRange;
  readonly #findings = new Map<string, Finding>();
  readonly #heap: HeapBound = new HeapBound();
  /** What was tried since the world was as it began. */
  #tried: Input[] = [];

  constructor(kind: FuzzKind<Input>, range: FuzzRange) {
    this.#kind = kind;
    this.#range = range;
  }

  async run(): Promise<FuzzReport> {
    const { from = 0, count, onProgress } = this.#range;
    const end = from + count;
    const guards = new FuzzGuards();
    let world = await this.#kind.open();
    let next = from;
    while (next < end && this.#goesOn()) {
      const blockEnd = Math.min(end, (Math.floor(next / blockSize) + 1) * blockSize);
      const found = await this.#block(world, guards, { next, end: blockEnd });
      if (found !== undefined && !this.#isKnown(found)) {
        await world.close();
        await this.#note(found);
        guards.check();
        world = await this.#kind.open();
      }
      next = found?.after ?? blockEnd;
      this.#tried = [];
      onProgress?.(next);
      const due = Math.floor((next - from) / (this.#range.heapEvery ?? heapEvery));
      if (due > this.#heap.samples.length) this.#sampleHeap(next);
    }
    await world.close();
    guards.close();
    const findings = [...this.#findings.values()];
    return { kind: this.#kind.name, next, tried: next - from, findings, heap: this.#heap.samples };
  }

  /** A heap that grows is no single input's doing. */
  #sampleHeap(next: number): void {
    const problem = this.#heap.take(heapInUse());
    if (problem === undefined || this.#findings.has(signatureOf(problem))) return;
    const kind = this.#kind.name;
    const finding: Finding = { kind, index: next - 1, problem, inputs: [], again: false };
    this.#findings.set(signatureOf(problem), finding);
    this.#range.onFinding?.(finding);
  }

  #goesOn(): boolean {
    const { mostFindings = 20, signal } = this.#range;
    return this.#findings.size < mostFindings && signal?.aborted !== true;
  }

  #isKnown({ problem }: Found<Input>): boolean {
    return this.#findings.has(signatureOf(problem));
  }

  /** Tries inputs until something is wrong, or all are tried. */
  async #block(
    world: FuzzWorld<Input>,
    guards: FuzzGuards,
    { next, end }: { readonly next: number; readonly end: number },
  ): Promise<Found<Input> | undefined> {
    const { width = 1 } = this.#kind;
    const { slowMs = 1_000 } = this.#range;
    for (let first = next; first < end; first += width) {
      const inputs = this.#inputs(first, Math.min(width, end - first));
      const problems = await Promise.all(inputs.map((input) => tried(world, input, slowMs)));
      const place = problems.findIndex((problem) => problem !== undefined);
      const problem = problems[place] ?? guards.check();
      const index = first + Math.max(0, place);
      this.#tried.push(...inputs);
      if (problem !== undefined)
        return {
          problem,
          index,
          inputs: inputs.slice(Math.max(0, place)),
          after: first + inputs.length,
        };
    }
    const problem = (await world.check()) ?? (await nextTurn(undefined), guards.checkClosely());
    if (problem === undefined) return undefined;
    return { problem, index: end - 1, inputs: [], after: end };
  }

  #inputs(first: number, count: number): Input[] {
    return Array.from({ length: count }, (_, offset) =>
      this.#kind.make(new Random(Math.imul(this.#range.seed, 0x9e37_79b1) + first + offset)),
    );
  }

  async #note({ problem, index, inputs }: Found<Input>): Promise<void> {
    const signature = signatureOf(problem);
    const kind = this.#kind;
    const { slowMs = 1_000, onProgress } = this.#range;
    const fails = async (candidate: readonly Input[]): Promise<boolean> => {
      onProgress?.(index);
      const again = await replayInputs(kind, candidate, slowMs);
      return again !== undefined && signatureOf(again) === signature;
    };
    const untilMs = performance.now() + shrinking.ms;
    const limits = { most: shrinking.tries, untilMs };
    let finding: Finding = { kind: kind.name, index, problem, inputs, again: false };
    for (const candidate of [inputs.slice(0, 1), inputs, this.#tried]) {
      if (candidate.length === 0 || !(await fails(candidate))) continue;
      const small = await shrinkInput(candidate, fails, limits);
      finding = {
        ...finding,
        problem: (await replayInputs(kind, small, slowMs)) ?? problem,
        inputs: small,
        again: true,
      };
      break;
    }
    // A busy machine is slow at times.
    if (!finding.again && isSlowness(problem)) return;
    this.#findings.set(signature, finding);
    this.#range.onFinding?.(finding);
  }
}

interface Found<Input> {
  readonly problem: string;
  readonly index: number;
  /** The input that was tried last, and those that were on their way beside it. */
  readonly inputs: readonly Input[];
  /** The number of the input that comes next. */
  readonly after: number;
}

async function replayInputs<Input>(
  kind: FuzzKind<Input>,
  inputs: readonly Input[],
  slowMs: number = 1_000,
): Promise<Problem> {
  const guards = new FuzzGuards();
  const world = await kind.open();
  try {
    for (const input of inputs) {
      const problem = (await tried(world, input, slowMs)) ?? guards.check();
      if (problem !== undefined) return problem;
    }
    return (await world.check()) ?? (await nextTurn(undefined), guards.checkClosely());
  } finally {
    await world.close();
    guards.close();
  }
}

/** Tries one input: what is thrown is a problem, and so is what takes too long. */
async function tried<Input>(
  world: FuzzWorld<Input>,
  input: Input,
  slowMs: number,
): Promise<Problem> {
  const watch = new Stopwatch();
  try {
    const answer = world.try(input);
    const problem = newProblem(answer instanceof Promise ? await inTime(answer) : answer);
    if (problem !== undefined || watch.leftOf(slowMs) > 0) return problem;
    return `slow: it took ${Math.round(watch.ms)} ms`;
  } catch (error) {
    return `thrown: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

function inTime(answer: Promise<Problem>): Promise<Problem> {
  return new Promise((resolve, reject) => {
    let left = stuckTicks;
    // A process that does not get to run hears few of them.
    const timer = setInterval(() => {
      if (--left === 0) resolve("slow: there is no answer at all");
    }, tickMs);
    const settle = (): void => clearInterval(timer);
    answer.finally(settle).then(resolve, reject);
  });
}

function isSlowness(problem: string): boolean {
  return problem.startsWith("slow: ");
}

/** Problems that have the same are the same. */
function signatureOf(problem: string): string {
  const [first = ""] = problem.split("\n", 1);
  return first.replaceAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|\d+/g, "_").slice(0, 160);
}
