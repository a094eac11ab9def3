import type { InstrumenterContext } from "@stryker-mutator/api/core";

const stepsBetweenLooks = 1024;

/** What a test took without any change. */
export interface Effort {
  readonly steps: number;
  readonly cpuMs: number;
}

/** What a test may take with a change: many times what it takes without, and what the shortest test gets as well. */
export function boundsOf({ steps, cpuMs }: Effort): Effort {
  return { steps: 1_000_000 + 100 * steps, cpuMs: 1500 + 20 * cpuMs };
}

/**
 * Ends what a change has run on, from within: the changed code asks at each place that could be changed which change is
 * active, and that question throws once it was asked too often, or for too long. To end the process instead and to
 * load everything anew takes seconds. Time is the processor's, so that a busy machine does not matter.
 */
export class StepGuard {
  #active: string | undefined;
  #steps = 0;
  #nextLook = Infinity;
  #bounds: Effort = { steps: Infinity, cpuMs: Infinity };
  #begunMs = 0;
  #ended = false;

  /** Takes the place of the context's active mutant. */
  watch(context: InstrumenterContext): void {
    Object.defineProperty(context, "activeMutant", {
      get: () => {
        this.#steps += 1;
        if (this.#steps >= this.#nextLook) this.#look();
        return this.#active;
      },
    });
  }

  activate(mutant: string | undefined): void {
    this.#active = mutant;
  }

  /** Begins to count for a test, which may take no more than this. */
  begin(bounds: Effort): void {
    this.#steps = 0;
    this.#ended = false;
    this.#begunMs = processorMs();
    this.#nextLook = stepsBetweenLooks;
    this.#bounds = bounds;
  }

  taken(): Effort {
    return { steps: this.#steps, cpuMs: processorMs() - this.#begunMs };
  }

  /** Whether the test was ended, even where the code under test caught that. */
  hasEnded(): boolean {
    return this.#ended;
  }

  #look(): void {
    this.#nextLook = this.#steps + stepsBetweenLooks;
    const { steps, cpuMs: ms } = this.taken();
    if (steps < this.#bounds.steps && ms < this.#bounds.cpuMs) return;
    // From now on each question throws: a loop that catches what it meets ends, too.
    this.#ended = true;
    this.#nextLook = 0;
    throw new Error("The change has the code run on.");
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
