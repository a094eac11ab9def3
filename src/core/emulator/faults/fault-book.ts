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

  /** The remaining faults in matching order. */
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

  /** Removes a fault. False when there is none of that id. */
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
   * The fault that acts on a request: the first one that matches, whose turn it is, and that passes its probability.
   * That request counts as one of the fault's uses. Draws one random number for each matching fault with a
   * probability, until one acts.
   */
  take(matches: (rule: FaultRule) => boolean, random: () => number): PlannedFault | undefined {
    return this.#planned.find((planned) => {
      if (!matches(planned)) return false;
      const { every = 1, passed = 0, left, probability } = planned;
      const isTurn = passed + 1 >= every;
      const acts = isTurn && (probability === undefined || random() < probability);
      const counted = {
        ...planned,
        ...(every > 1 ? { passed: isTurn ? 0 : passed + 1 } : {}),
        ...(acts && left !== undefined ? { left: left - 1 } : {}),
      };
      if (every > 1 || (acts && left !== undefined)) this.#replace(planned, counted);
      return acts;
    });
  }

  #replace(planned: PlannedFault, counted: PlannedFault): void {
    const kept = counted.left === 0 ? [] : [Object.freeze(counted)];
    this.#planned = this.#planned.flatMap((one) => (one === planned ? kept : [one]));
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
