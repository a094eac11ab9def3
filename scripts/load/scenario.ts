import type { BacklotOptions, BacklotProcess } from "./backlot-process.ts";

/** Something that was measured, and what is promised of it. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  /** Undefined: it is only told. */
  readonly promise?: Promised;
}

export interface Promised {
  /** In words, such as `at most 50 ms`. */
  readonly text: string;
  readonly isKept: boolean;
}

/** What a scenario works with. All of it is gone when the scenario is over. */
export interface Stage {
  readonly seed: number;
  /** Says how far it is. */
  readonly tell: (what: string) => void;
  /** Starts `backlot start`. */
  readonly start: (options: Omit<BacklotOptions, "runs">) => Promise<BacklotProcess>;
  /** What runs the command: the arguments for node. */
  readonly runs: readonly string[];
  /** A new folder. */
  readonly folder: () => Promise<string>;
  /** Has something done at the end. What was asked for last is done first. */
  readonly atEnd: (tidy: () => unknown) => void;
}

export interface Scenario {
  readonly name: string;
  /** In a line. */
  readonly about: string;
  readonly run: (stage: Stage) => Promise<readonly Figure[]>;
}
