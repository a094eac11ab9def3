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

// The real timers, even if a test installs fake ones later.
const { setTimeout: setReal, clearTimeout: clearReal } = globalThis;
const { setInterval: startReal, clearInterval: stopReal } = globalThis;

/**
 * A clock that reads `performance`. When a test replaces `performance` by a fake clock, or puts the real one back,
 * this clock continues from its last time: a duration is never negative, and never the difference of two clocks.
 * While a test has fake timers but the real clock, the time stands still, since only the timers say how much of it
 * passes.
 */
class SteadyClock {
  #source: (() => number) | undefined;
  /** How far this clock is ahead of its source. */
  #ahead = 0;
  #latest = 0;

  readonly now = (): number => {
    if (isClockOfOthers()) {
      this.#source = undefined;
      return this.#latest;
    }
    const time = performance.now();
    if (performance.now !== this.#source) {
      // Only to be compared.
      // oxlint-disable-next-line typescript/unbound-method
      this.#source = performance.now;
      this.#ahead = this.#latest - time;
    }
    this.#latest = time + this.#ahead;
    return this.#latest;
  };
}

/** Whether the timers are fake, but not the clock: a fake `now` belongs to the object, the real one to its class. */
function isClockOfOthers(): boolean {
  return globalThis.setTimeout !== setReal && !Object.hasOwn(performance, "now");
}

const { now } = new SteadyClock();

/** The runtime's own timers. They fire even while a test has fake ones installed. */
export const runtimeTimers: Timers = {
  now,
  set: (run, ms) => setReal(run, ms),
  clear: (handle) => {
    if (typeof handle === "number" || typeof handle === "object") clearReal(handle as number);
  },
};

/**
 * The global timers of the moment, for answers in this process: fake ones while a test has them installed. A timer is
 * cleared by the timers that it was set with.
 */
export const presentTimers: Timers = {
  now,
  set: (run, ms) => {
    const { setTimeout, clearTimeout } = globalThis;
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  clear: (handle) => {
    if (typeof handle === "function") handle();
  },
};

const nothing = (): void => undefined;

/**
 * Keeps the process running, and `kept` in memory, until the result is called. Where processes do not end by themselves,
 * as in a page, the timer does no harm.
 */
export function keepRunning(kept: object): () => void {
  const timer = startReal(nothing, longestWait, kept);
  return () => stopReal(timer);
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
