/** How many calls make a series that can be timed. */
import { cpuTime } from "../cpu-time.ts";

/** One series of calls is to take about this long, in microseconds of CPU. */
const seriesTime = 20_000;
/** Calls that take this many times as long are compiled after the first, and enough of a series. */
const slow = 10;

/** Makes so many calls, and gives the microseconds of CPU that one took. */
type Time = (count: number) => number | Promise<number>;

/** Calls that are timed together. */
export class Series {
  readonly #time: Time;
  readonly #most: number;
  /** Calls in one series. */
  count = 1;

  constructor(time: Time, most = Infinity) {
    this.#time = time;
    this.#most = most;
  }

  /**
   * Finds the count, and goes on for so many microseconds until the compiler has done its work. Gives the time
   * that a series takes then.
   */
  async warm(warmTime: number): Promise<number> {
    const started = cpuTime();
    let used = await this.#run();
    if (used > seriesTime * slow) return used;
    while (used < seriesTime / 4 && this.count < this.#most) {
      this.count = Math.min(this.#most, this.count * 4);
      used = await this.#run();
    }
    do {
      // Again and again: what the first calls took, before they were compiled, makes a series far too short.
      this.count = this.#countThatTakes(seriesTime, used);
      used = await this.#run();
    } while (cpuTime() - started < warmTime);
    return used;
  }

  #countThatTakes(time: number, used: number): number {
    return Math.max(1, Math.min(this.#most, Math.round((this.count * time) / used)));
  }

  async #run(): Promise<number> {
    return (await this.#time(this.count)) * this.count;
  }
}
