/** A test as a function, found by its file and titles. */
export interface CollectedTest {
  readonly id: string;
  readonly run: () => unknown;
}

/** The tests of the files that were loaded, in their order. */
class CollectedTests {
  readonly tests: CollectedTest[] = [];
  #file = "";

  /** Loads a file; what it declares meanwhile is its own. */
  async load(file: string, load: () => Promise<unknown>): Promise<void> {
    this.#file = file;
    await load();
  }

  /** The fastest first: most changes are noticed by the first test that sees them. */
  sortBy(times: ReadonlyMap<string, number>): void {
    this.tests.sort(
      ({ id: left }, { id: right }) => (times.get(left) ?? 0) - (times.get(right) ?? 0),
    );
  }

  add(title: string, run: () => unknown): void {
    this.tests.push({ id: `${this.#file} > ${title} (${this.tests.length})`, run });
  }
}

export const collected: CollectedTests = new CollectedTests();
