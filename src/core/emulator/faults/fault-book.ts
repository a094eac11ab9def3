import type { FaultRule, PlannedFault } from "../../fixture-set/format/fault-format.ts";

/** Planned faults at one moment. */
export interface FaultBookSnapshot {
  readonly planned: readonly PlannedFault[];
  /** The number in the last id given out, whether that fault still exists or not. */
  readonly lastNumber: number;
}

/** The planned faults, in the order in which they were added. */
export class FaultBook {
  /** Replaced, never changed, so that forks and snapshots can share it. */
  #planned: readonly PlannedFault[];
  #lastNumber: number;

  constructor({ planned, lastNumber }: FaultBookSnapshot) {
    this.#planned = planned;
    this.#lastNumber = lastNumber;
  }

  static empty(): FaultBook {
    return new FaultBook({ planned: [], lastNumber: 0 });
  }

  /** A book of faults with ids. New ids start after the number `used`. */
  static of(planned: readonly PlannedFault[], used = 0): FaultBook {
    const numbers = planned.map(({ id }) => Number(id.slice(idStart.length)));
    const lastNumber = numbers.reduce((most, number) => Math.max(most, number), used);
    return new FaultBook({ planned: planned.map(waiting), lastNumber });
  }

  /** Whether there are no faults, the only check for most requests. */
  get isEmpty(): boolean {
    return this.#planned.length === 0;
  }

  /** The faults in matching order. Used-up ones are gone. */
  list(): readonly PlannedFault[] {
    return this.#planned;
  }

  /** Adds a rule after the others, under a new id. */
  add(rule: FaultRule): PlannedFault {
    this.#lastNumber += 1;
    const planned = waiting({ id: `${idStart}${this.#lastNumber}`, ...rule });
    this.#planned = [...this.#planned, planned];
    return planned;
  }

  /** False when there is none of that id. */
  remove(id: string): boolean {
    const kept = this.#planned.filter((planned) => planned.id !== id);
    const isFound = kept.length < this.#planned.length;
    this.#planned = kept;
    return isFound;
  }

  clear(): void {
    this.#planned = [];
  }

  /**
   * The fault that acts on a request: the first that matches and passes its probability. It is counted. Draws one
   * number per matching fault with a probability until one acts.
   */
  take(matches: (rule: FaultRule) => boolean, random: () => number): PlannedFault | undefined {
    const taken = this.#planned.find(
      (planned) =>
        matches(planned) && (planned.probability === undefined || random() < planned.probability),
    );
    if (taken?.left !== undefined) this.#countDown(taken, taken.left - 1);
    return taken;
  }

  #countDown(taken: PlannedFault, left: number): void {
    this.#planned = this.#planned.flatMap((planned) => {
      if (planned !== taken) return [planned];
      return left === 0 ? [] : [Object.freeze({ ...planned, left })];
    });
  }

  fork(): FaultBook {
    return new FaultBook(this.snapshot());
  }

  snapshot(): FaultBookSnapshot {
    return { planned: this.#planned, lastNumber: this.#lastNumber };
  }

  restore({ planned, lastNumber }: FaultBookSnapshot): void {
    this.#planned = planned;
    this.#lastNumber = lastNumber;
  }
}

const idStart = "fault ";

/** A fault that counts its remaining uses, if they are limited. */
function waiting(planned: PlannedFault): PlannedFault {
  const { times, left = times } = planned;
  return Object.freeze({ ...planned, ...(left === undefined ? {} : { left }) });
}
