import type { Random } from "./random.ts";

/** What is wrong with an answer; undefined: nothing. */
export type Problem = string | undefined;

/** One kind of input that the emulator must survive. Inputs are plain JSON, so that found ones are kept as data. */
export interface FuzzKind<Input> {
  readonly name: string;
  /** How many inputs are on their way at the same time. Default 1. */
  readonly width?: number;
  readonly make: (random: Random) => Input;
  /** Something new to try inputs on. */
  readonly open: () => Promise<FuzzWorld<Input>>;
}

/** What inputs of one kind are tried on. */
export interface FuzzWorld<Input> {
  readonly try: (input: Input) => Problem | Promise<Problem>;
  /** Whether it still answers as it did when it was new; it goes back to its beginning then. */
  readonly check: () => Promise<Problem>;
  readonly close: () => Promise<void>;
}
