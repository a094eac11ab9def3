import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { FuzzGuards } from "./fuzz-guards.ts";
import type { FuzzKind, FuzzWorld, Problem } from "./fuzz-kind.ts";
import { HeapBound, heapInUse } from "./heap.ts";
import { drawn, shrinkingWhile } from "./random.ts";
import { Stopwatch } from "./stopwatch.ts";

/** Which inputs are tried, and how patiently. */
export interface FuzzRange {
  readonly seed: number;
  /** How fast-check names the one run to repeat. */
  readonly path?: string | undefined;
  readonly count: number;
  /** Milliseconds that an answer may take. Default 1,000. */
  readonly slowMs?: number;
  /** After how many inputs the heap is swept and looked at. Default 5,000. */
  readonly heapEvery?: number;
  /** Ends the run early, with a report of what was tried. */
  readonly signal?: AbortSignal;
  /** Told often, while a finding shrinks as well. */
  readonly onProgress?: (tried: number, seed: number) => void;
}

/** A way to something that is wrong. */
export interface Finding {
  readonly problem: string;
  /** The fewest inputs that were found to lead there, one after the other. None: memory grew. */
  readonly inputs: readonly unknown[];
  readonly seed: number;
  readonly path: string | undefined;
}

/** What a run came to. */
export interface FuzzReport {
  readonly kind: string;
  readonly tried: number;
  /** The seed to go on with. */
  readonly next: number;
  readonly finding: Finding | undefined;
  /** Bytes in use after each 5,000 inputs, swept. */
  readonly heap: readonly number[];
}

/** Tries inputs of one kind. */
export interface Fuzzer {
  readonly name: string;
  readonly run: (range: FuzzRange) => Promise<FuzzReport>;
  /** Tries inputs one after the other, as a finding has them. */
  readonly replay: (inputs: readonly unknown[], slowMs?: number) => Promise<Problem>;
}

/** So many inputs at most are tried before the world is checked closely and goes back to its beginning. */
const blockSize = 100;
const shrinkMs = 30_000;
/** So long nothing may come, 10 s. */
const stuckTicks = 100;
const tickMs = 100;

/** Makes a fuzzer of a kind of inputs. */
export function fuzzerOf<Input>(kind: FuzzKind<Input>): Fuzzer {
  return {
    name: kind.name,
    run: async (range) => {
      const run = new FuzzRun(kind, range);
      try {
        return await run.report();
      } finally {
        await run.close();
      }
    },
    replay: async (inputs, slowMs = 1_000) => {
      const run = new FuzzRun(kind, { seed: 0, count: 0, slowMs });
      try {
        // Inputs of a corpus are as they were written.
        return await run.problemOf(inputs as readonly Input[]);
      } finally {
        await run.close();
      }
    },
  };
}

class FuzzRun<Input> {
  readonly #kind: FuzzKind<Input>;
  readonly #range: FuzzRange;
  readonly #guards: FuzzGuards = new FuzzGuards();
  readonly #heap: HeapBound = new HeapBound();
  #world: FuzzWorld<Input> | undefined;
  #tried = 0;
  #seed = 0;
  /** The first problem, and until when a smaller way to it is looked for. */
  #found: { readonly signature: string; readonly untilMs: number } | undefined;

  constructor(kind: FuzzKind<Input>, range: FuzzRange) {
    this.#kind = kind;
    this.#range = range;
  }

  async report(): Promise<FuzzReport> {
    const { count, path, heapEvery = 5_000 } = this.#range;
    const { samples } = this.#heap;
    let { seed } = this.#range;
    let finding: Finding | undefined;
    let isOver = false;
    while (!isOver) {
      finding = await this.#part(seed++);
      const isDue = Math.floor(this.#tried / heapEvery) > samples.length;
      if (isDue && finding === undefined) finding = this.#grownHeap(seed);
      isOver =
        finding !== undefined || path !== undefined || this.#tried >= count || !this.#goesOn();
    }
    const { name } = this.#kind;
    return { kind: name, tried: this.#tried, next: seed, finding, heap: samples };
  }

  async close(): Promise<void> {
    await this.#world?.close();
    this.#guards.close();
  }

  /** Tries inputs until something is wrong, or all are tried. */
  async problemOf(inputs: readonly Input[]): Promise<Problem> {
    this.#world ??= await this.#kind.open();
    const problem = await this.#block(this.#world, inputs);
    if (problem === undefined) return undefined;
    await this.#world.close();
    this.#world = undefined;
    // What else there is to see of the same failure.
    this.#guards.checkClosely();
    return problem;
  }

  /** Tries the inputs of one seed until something is wrong, or enough were tried. */
  async #part(seed: number): Promise<Finding | undefined> {
    const { path, count, heapEvery = 5_000 } = this.#range;
    const isRepeated = path !== undefined;
    const inputs = fc.array(drawn(this.#kind.make), { maxLength: blockSize, size: "max" });
    const property = fc.asyncProperty(inputs, async (block) => {
      const isNew = this.#found === undefined && !isRepeated;
      const some = isNew ? block.slice(0, count - this.#tried) : block;
      if (some.length === 0 || !this.#goesOn()) return;
      this.#seed = seed;
      if (isNew) this.#tried += some.length;
      const problem = await this.#steadyProblemOf(some);
      if (problem !== undefined) throw new Error(problem);
    });
    const most = Math.min(heapEvery, count - this.#tried);
    const details = await fc.check(
      shrinkingWhile(property, () => this.#goesOn()),
      {
        seed,
        ...(isRepeated
          ? { path, endOnFailure: true, numRuns: 1 }
          : { numRuns: Math.ceil((2 * most) / blockSize) }),
      },
    );
    if (!details.failed) return undefined;
    const { errorInstance, counterexample, counterexamplePath } = details;
    const problem = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    const [found = []] = counterexample ?? [];
    return { problem, inputs: found, seed, path: counterexamplePath ?? undefined };
  }

  /** Whether to try another block: while a finding shrinks, its time has to suffice. */
  #goesOn(): boolean {
    if (this.#range.signal?.aborted === true) return false;
    return this.#found === undefined || performance.now() < this.#found.untilMs;
  }

  /** A busy machine is slow at times, and another problem is no smaller way to the first one. */
  async #steadyProblemOf(inputs: readonly Input[]): Promise<Problem> {
    let problem = await this.problemOf(inputs);
    if (problem?.startsWith("slow: ") === true) problem = await this.problemOf(inputs);
    if (problem === undefined) return undefined;
    const signature = signatureOf(problem);
    this.#found ??= { signature, untilMs: performance.now() + shrinkMs };
    return this.#found.signature === signature ? problem : undefined;
  }

  async #block(world: FuzzWorld<Input>, inputs: readonly Input[]): Promise<Problem> {
    const { width = 1 } = this.#kind;
    for (let first = 0; first < inputs.length; first += width) {
      const beside = inputs.slice(first, first + width);
      this.#range.onProgress?.(this.#tried, this.#seed);
      const problems = await Promise.all(beside.map((input) => this.#try(world, input)));
      const problem = problems.find((one) => one !== undefined) ?? this.#guards.check();
      if (problem !== undefined) return problem;
    }
    return (await world.check()) ?? (await nextTurn(undefined), this.#guards.checkClosely());
  }

  /** Tries one input: what is thrown is a problem, and so is what takes too long. */
  async #try(world: FuzzWorld<Input>, input: Input): Promise<Problem> {
    const { slowMs = 1_000 } = this.#range;
    const watch = new Stopwatch();
    try {
      const answer = world.try(input);
      const problem = answer instanceof Promise ? await inTime(answer) : answer;
      if (problem !== undefined || watch.leftOf(slowMs) > 0) return problem;
      return `slow: it took ${Math.round(watch.ms)} ms`;
    } catch (error) {
      return `thrown: ${error instanceof Error ? error.stack : String(error)}`;
    }
  }

  /** A heap that grows is no single input's doing. */
  #grownHeap(seed: number): Finding | undefined {
    const problem = this.#heap.take(heapInUse());
    return problem === undefined ? undefined : { problem, inputs: [], seed, path: undefined };
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

/** Problems that have the same are the same. */
function signatureOf(problem: string): string {
  const [first = ""] = problem.split("\n", 1);
  return first.replaceAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|\d+/g, "_").slice(0, 160);
}
