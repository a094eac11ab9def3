import { xoroshiro128plus, xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import { longestWait, type Timers } from "../http/scheduler.ts";

/** Seeded random numbers, in a sequence that can be saved and continued. */
export interface RandomSource {
  /** The next number, from 0 up to but not including 1. */
  readonly next: () => number;
  /** The state of the sequence, as plain numbers. */
  readonly state: () => readonly number[];
}

const bits32 = 0x1_0000_0000;

function randomSource(generator: ReturnType<typeof xoroshiro128plus>): RandomSource {
  return {
    next: () => (generator.next() >>> 0) / bits32,
    state: () => generator.getState(),
  };
}

/** A sequence that starts from a seed. */
export function randomFromSeed(seed: number): RandomSource {
  return randomSource(xoroshiro128plus(seed));
}

/** A sequence that continues from a saved state. */
export function randomFromState(state: readonly number[]): RandomSource {
  return randomSource(xoroshiro128plusFromState(state));
}

/** A sequence that depends on a seed and a text. */
export function randomFromText(seed: number, text: string): RandomSource {
  let hash = seed | 0;
  for (let place = 0; place < text.length; place++) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x0100_0193);
  }
  return randomFromSeed(hash);
}

/** A random seed, if none is given. It guards nothing, so it need not be secret. */
export function anySeed(): number {
  return Math.floor(Math.random() * bits32);
}

/** A stopped clock or the wall clock, in Unix time in milliseconds. */
export function clockOf(standsAt: number | undefined): () => number {
  return () => standsAt ?? Date.now();
}

/** The runtime's own timers. */
export const runtimeTimers: Timers = {
  now: () => performance.now(),
  set: (run, ms) => setTimeout(run, ms),
  clear: (handle) => {
    if (typeof handle === "number" || typeof handle === "object") clearTimeout(handle as number);
  },
};

// The real timers, even if a test installs fake ones later: fake timers do not keep the process running.
const { setInterval: startTimer, clearInterval: stopTimer } = globalThis;

const nothing = (): void => undefined;

/**
 * Keeps the process running, and `kept` in memory, until the result is called. Where processes do not end by themselves,
 * as in a page, the timer does no harm.
 */
export function keepRunning(kept: object): () => void {
  const timer = startTimer(nothing, longestWait, kept);
  return () => stopTimer(timer);
}

/** Waits, and tells whether the whole time passed: false when `signal` was aborted before. */
export function wait(ms: number, signal: AbortSignal, timers: Timers): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const abort = (): void => {
      timers.clear(handle);
      resolve(false);
    };
    const handle = timers.set(() => {
      signal.removeEventListener("abort", abort);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}

const idAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idCodes = Uint8Array.from(idAlphabet, (letter) => letter.charCodeAt(0));
/** A reused buffer for the letters of an id. */
const letters: number[] = Array.from({ length: 24 }, () => 0);

/** Makes ids such as `chatcmpl-` with 24 letters and digits, from a random sequence. */
export function createId(prefix: string, random: () => number): string {
  for (let place = 0; place < letters.length; place++) {
    letters[place] = idCodes[Math.floor(random() * idCodes.length)] ?? 0;
  }
  // A string concatenated letter by letter would cost its first reader 0.2 µs.
  return prefix + String.fromCharCode(...letters);
}

/** The clock of a session: the emulator's, or a stopped one. */
export class SessionClock {
  readonly #emulator: () => number;
  /** The time of a stopped clock, in Unix time in milliseconds. Undefined: the emulator's clock. */
  standsAt: number | undefined;

  constructor(emulator: () => number, standsAt: number | undefined) {
    this.#emulator = emulator;
    this.standsAt = standsAt;
  }

  /** Unix time in milliseconds. */
  readonly now = (): number => this.standsAt ?? this.#emulator();

  /** An independent clock with the same state. */
  fork(): SessionClock {
    return new SessionClock(this.#emulator, this.standsAt);
  }
}
