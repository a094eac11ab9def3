import { inspect } from "node:util";
import { FileWatch } from "./file-watch.ts";
import type { Problem } from "./fuzz-kind.ts";
import { PrototypeWatch } from "./prototype-watch.ts";

/** What no input may do to the process: touch a prototype, leave a rejection unhandled, read or write a file. */
export class FuzzGuards {
  readonly #prototypes: PrototypeWatch = new PrototypeWatch();
  readonly #files: FileWatch = new FileWatch();
  #thrown: unknown[] = [];
  readonly #note = (error: unknown): void => {
    this.#thrown.push(error);
  };

  constructor() {
    process.on("unhandledRejection", this.#note).on("uncaughtException", this.#note);
  }

  /** What happened since this was last asked, as far as it is seen at a glance. It is undone. */
  check(): Problem {
    return this.#prototypes.added() ?? this.#unhandled() ?? this.#files.take();
  }

  /** As {@link check}, with a look at each property of each prototype. */
  checkClosely(): Problem {
    return this.#prototypes.changed() ?? this.check();
  }

  close(): void {
    process.off("unhandledRejection", this.#note).off("uncaughtException", this.#note);
    this.#files.close();
  }

  #unhandled(): Problem {
    const [error] = this.#thrown;
    if (this.#thrown.length === 0) return undefined;
    this.#thrown = [];
    return `thrown and not caught: ${inspect(error)}`;
  }
}
