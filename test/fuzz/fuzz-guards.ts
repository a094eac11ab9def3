import { inspect } from "node:util";
import type { Problem } from "./fuzz-kind.ts";
import { WriteWatch } from "./write-watch.ts";

const guarded: readonly object[] = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
  Map.prototype,
  Promise.prototype,
  RegExp.prototype,
];

/** What no input may do to the process: touch a prototype, leave a rejection unhandled, write a file. */
export class FuzzGuards {
  readonly #keys: readonly (readonly PropertyKey[])[] = guarded.map(Reflect.ownKeys);
  readonly #writes: WriteWatch = new WriteWatch();
  #thrown: unknown[] = [];
  readonly #note = (error: unknown): void => {
    this.#thrown.push(error);
  };

  constructor() {
    process.on("unhandledRejection", this.#note).on("uncaughtException", this.#note);
  }

  /** What happened since this was last asked. What was added to a prototype is taken out again. */
  check(): Problem {
    return this.#touched() ?? this.#unhandled() ?? this.#writes.take();
  }

  close(): void {
    process.off("unhandledRejection", this.#note).off("uncaughtException", this.#note);
    this.#writes.close();
  }

  #unhandled(): Problem {
    const [error] = this.#thrown;
    if (this.#thrown.length === 0) return undefined;
    this.#thrown = [];
    return `thrown and not caught: ${inspect(error)}`;
  }

  #touched(): Problem {
    for (const [index, prototype] of guarded.entries()) {
      const known = this.#keys[index] ?? [];
      const keys = Reflect.ownKeys(prototype);
      if (keys.length === known.length) continue;
      const added = keys.filter((key) => !known.includes(key));
      for (const key of added) Reflect.deleteProperty(prototype, key);
      return `a prototype was touched: ${added.map(String).join(", ")}`;
    }
    return undefined;
  }
}
