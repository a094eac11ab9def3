/** Runs a contender's writes: as many inserts as deletes, so that the table keeps its size. */
import type { Contender } from "../contenders/contender.ts";
import { cpuTime } from "../cpu-time.ts";
import { mix, newItem, type NewItem, priceOf } from "../items.ts";
import { indexedReads, type WriteName } from "../operations.ts";
import { type Reading, readingOf } from "./reads.ts";

/** Microseconds of CPU that one write of each kind took on average. */
export type WriteTimes = Readonly<Record<WriteName, number>>;

export class Writes {
  readonly #contender: Contender;
  /** Reads through each index, after each series of writes: work that is put off counts too. */
  readonly #readings: readonly Reading[];
  readonly #ids: number[];
  #nextId: number;
  #turn = 0;
  /** Keys that were written by the last cycle. */
  touched: readonly number[] = [];

  constructor(contender: Contender, { size, settle }: { size: number; settle: boolean }) {
    this.#contender = contender;
    this.#readings = settle ? indexedReads.map((name) => readingOf(contender, name, size)) : [];
    this.#ids = Array.from({ length: size }, (_, index) => index + 1);
    this.#nextId = size + 1;
  }

  /** Inserts, updates and deletes as many rows each. */
  async cycle(count: number): Promise<WriteTimes> {
    this.touched = [];
    return {
      insert: await this.#insert(count),
      update: await this.#update(count),
      delete: await this.#delete(count),
    };
  }

  #insert(count: number): Promise<number> {
    const first = this.#nextId;
    const ids = Array.from({ length: count }, (_, index) => first + index);
    const given: NewItem[] = JSON.parse(JSON.stringify(ids.map(newItem)));
    for (const id of ids) this.#ids.push(id);
    this.#nextId += count;
    this.#touch(ids);
    return this.#time(given, (item, index) => this.#contender.insert(item, first + index));
  }

  #update(count: number): Promise<number> {
    const changes = Array.from({ length: count }, () => {
      const random = this.#random();
      return { id: this.#ids[this.#pick()] ?? 0, price: priceOf(random), stock: random % 500 };
    });
    this.#touch(changes.map(({ id }) => id));
    return this.#time(changes, ({ id, price, stock }) =>
      this.#contender.update(id, { price, stock }),
    );
  }

  #delete(count: number): Promise<number> {
    const ids = Array.from({ length: count }, () => this.#take());
    this.#touch(ids);
    return this.#time(ids, (id) => this.#contender.delete(id));
  }

  /** An update, and a read through each index after it. Gives the time for one such round. */
  mixed(count: number): number {
    const started = cpuTime();
    for (let turn = 0; turn < count; turn++) {
      const random = this.#random();
      const changes = { price: priceOf(random), stock: random % 500 };
      this.#contender.update(this.#ids[this.#pick()] ?? 0, changes);
      for (const reading of this.#readings) reading();
    }
    return (cpuTime() - started) / count;
  }

  async #time<Given>(
    given: readonly Given[],
    write: (given: Given, index: number) => unknown,
  ): Promise<number> {
    const started = cpuTime();
    let index = 0;
    for (const each of given) {
      const result = write(each, index++);
      if (result instanceof Promise) await result;
    }
    for (const reading of this.#readings) reading();
    return (cpuTime() - started) / given.length;
  }

  #touch(ids: readonly number[]): void {
    this.touched = this.touched.concat(ids);
  }

  #random(): number {
    return mix(this.#turn++, 50);
  }

  #pick(): number {
    return this.#random() % this.#ids.length;
  }

  /** Takes a key out of those in use; never the greatest, which would be generated again. */
  #take(): number {
    const index = this.#pick();
    const id = this.#ids[index] ?? 0;
    if (id === this.#nextId - 1) return this.#take();
    this.#ids[index] = this.#ids.at(-1) ?? 0;
    this.#ids.pop();
    return id;
  }
}
