import type { Effort } from "./step-guard.ts";

/** A test as a function, found by its file and titles. */
export interface CollectedTest {
  readonly id: string;
  readonly run: () => unknown;
}

/** The tests of the files that were loaded, and what each takes without a change. */
class CollectedTests {
  readonly #tests: CollectedTest[] = [];
  #efforts: ReadonlyMap<string, Effort> | undefined;
  #file = "";

  /** Loads a file; what it declares meanwhile is its own. */
  async load(file: string, load: () => Promise<unknown>): Promise<void> {
    this.#file = file;
    await load();
  }

  add(title: string, run: () => unknown): void {
    this.#tests.push({ id: `${this.#file} > ${title} (${this.#tests.length})`, run });
  }

  all(): readonly CollectedTest[] {
    return this.#tests;
  }

  /** The fastest first: most changes are noticed by the first test that sees them. */
  order(efforts: ReadonlyMap<string, Effort>): void {
    this.#efforts = efforts;
    const cost = ({ id }: CollectedTest): number => efforts.get(id)?.cpuMs ?? 0;
    this.#tests.sort((left, right) => cost(left) - cost(right));
  }

  isOrdered(): boolean {
    return this.#efforts !== undefined;
  }

  effortOf(test: CollectedTest): Effort {
    return this.#efforts?.get(test.id) ?? { steps: 0, cpuMs: 0 };
  }
}

export const collected: CollectedTests = new CollectedTests();
