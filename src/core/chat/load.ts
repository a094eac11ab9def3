import { matchesGlob } from "./matching/glob.ts";

/** How many chats run at the same time, and what happens to the others. */
export interface LoadRule {
  /** A glob for the models that the rule is for. Default: every model. */
  readonly model?: string;
  /** Who shares the capacity: all chats of the rule, or those of each model or each key. Default: `all`. */
  readonly per?: "all" | "model" | "key";
  /** The most chats that run at the same time. */
  readonly capacity: number;
  /** The most chats that wait for a place. They are answered in order of arrival. Default: 0. */
  readonly queue?: number;
  /** How many times as long a chat takes at full capacity as alone. Default: 1. */
  readonly timeFactor?: number;
  /** The status of the error for chats that find the queue full. Default: 429. */
  readonly status?: number;
  /** Sent with that error as `retry-after-ms` and `retry-after`. */
  readonly retryAfterMs?: number;
}

/** Why a chat is refused. */
export interface LoadRefusal extends Pick<LoadRule, "status" | "retryAfterMs"> {
  readonly running: number;
  readonly waiting: number;
}

/** The place of a chat in a service under load. */
export interface Slot {
  /** How many times as long the chat takes as it would alone. */
  readonly factor: number;
  readonly queuedMs: number;
  /** Undefined: the chat is answered. */
  readonly refusal: LoadRefusal | undefined;
  /** Gives the place to the next chat. To be called once, when the answer is over. */
  readonly leave: () => void;
}

/** The chat that asks for a place. */
export interface Arrival {
  readonly model: string;
  readonly key: string | undefined;
  /** Read only when the chat has to wait. */
  readonly call: { readonly signal: AbortSignal };
}

const nothing = (): void => undefined;

/** The running and waiting chats that share one capacity. */
class Gate {
  running = 0;
  /** Functions that begin a waiting chat, in order of arrival. */
  readonly waiting: Set<() => void> = new Set();
  readonly #rule: LoadRule;
  readonly #now: () => number;
  /** Called when no chat runs any more, and so none waits. */
  readonly #emptied: () => void;

  constructor(rule: LoadRule, now: () => number, emptied: () => void) {
    this.#rule = rule;
    this.#now = now;
    this.#emptied = emptied;
  }

  enter({ signal }: Arrival["call"]): Slot | Promise<Slot> {
    const { capacity, queue = 0 } = this.#rule;
    if (this.running < capacity) return this.#begin(0);
    return this.waiting.size < queue ? this.#wait(signal) : this.#refuse(0);
  }

  #begin(queuedMs: number): Slot {
    this.running += 1;
    return { factor: this.#factor(), queuedMs, refusal: undefined, leave: () => this.#leave() };
  }

  /**
   * The factor by which chats are slower now. It grows evenly from 1, for a single chat, to `timeFactor` at full
   * capacity.
   */
  #factor(): number {
    const { capacity, timeFactor = 1 } = this.#rule;
    return capacity === 1 ? 1 : 1 + ((timeFactor - 1) * (this.running - 1)) / (capacity - 1);
  }

  #refuse(queuedMs: number): Slot {
    const { status, retryAfterMs } = this.#rule;
    const given = retryAfterMs === undefined ? {} : { retryAfterMs };
    const refusal = { status: status ?? 429, ...given, ...this.counts() };
    return { factor: 1, queuedMs, refusal, leave: nothing };
  }

  #wait(signal: AbortSignal): Promise<Slot> {
    const since = this.#now();
    return new Promise((resolve) => {
      const begin = (): void => {
        signal.removeEventListener("abort", abandon);
        resolve(this.#begin(this.#now() - since));
      };
      // The client has gone. The refusal that nobody reads ends the waiting.
      const abandon = (): void => {
        this.waiting.delete(begin);
        resolve(this.#refuse(this.#now() - since));
      };
      this.waiting.add(begin);
      signal.addEventListener("abort", abandon, { once: true });
    });
  }

  #leave(): void {
    this.running -= 1;
    const [next] = this.waiting;
    if (next !== undefined) {
      this.waiting.delete(next);
      next();
    } else if (this.running === 0) this.#emptied();
  }

  counts(): LoadCounts {
    return { running: this.running, waiting: this.waiting.size };
  }
}

/** The numbers of running and waiting chats at one moment. */
export interface LoadCounts {
  readonly running: number;
  readonly waiting: number;
}

/** A service that answers only so many chats at the same time. */
export class ChatLoad {
  readonly #rules: readonly LoadRule[];
  readonly #now: () => number;
  /** The gates that have chats in them, by what shares the capacity. */
  readonly #gates: Map<string, Gate> = new Map();

  /** `now` measures how long chats wait. */
  constructor(rules: readonly LoadRule[], now: () => number) {
    this.#rules = rules;
    this.#now = now;
  }

  /**
   * Gives a chat a place, at once or when its turn comes. The first rule for its model counts. Undefined: no rule is
   * for it.
   */
  enter(arrival: Arrival): Slot | Promise<Slot> | undefined {
    const { model, key = "" } = arrival;
    const number = this.#rules.findIndex((one) => matchesGlob(one.model ?? "*", model));
    const rule = this.#rules[number];
    if (rule === undefined) return undefined;
    const { per = "all" } = rule;
    const id = `${number} ${{ all: "", model, key }[per]}`;
    let gate = this.#gates.get(id);
    if (gate === undefined) {
      gate = new Gate(rule, this.#now, () => this.#gates.delete(id));
      this.#gates.set(id, gate);
    }
    return gate.enter(arrival.call);
  }

  /** The numbers over all rules. */
  counts(): LoadCounts {
    let running = 0;
    let waiting = 0;
    for (const gate of this.#gates.values()) {
      running += gate.running;
      waiting += gate.waiting.size;
    }
    return { running, waiting };
  }
}
