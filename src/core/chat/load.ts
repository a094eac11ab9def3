import { matchesGlob } from "./matching/glob.ts";

/** How many chats are answered at the same time, and what becomes of the others. */
export interface LoadRule {
  /** A glob for the model. Default: every chat. */
  readonly model?: string;
  /** Who shares the capacity: all chats of the rule, or those of each model or each key. Default: `all`. */
  readonly per?: "all" | "model" | "key";
  /** The most chats that run at the same time. */
  readonly capacity: number;
  /** The most chats that wait for a place, first come, first served. Default: 0. */
  readonly queue?: number;
  /** How many times as long a chat takes at full capacity as alone. Default: 1. */
  readonly timeFactor?: number;
  /** The status of those beyond the queue. Default: 429. */
  readonly status?: number;
  /** Sent with it as `retry-after-ms` and `retry-after`. */
  readonly retryAfterMs?: number;
}

/** Why a chat is not answered. */
export interface LoadRefusal extends Pick<LoadRule, "status" | "retryAfterMs"> {
  readonly running: number;
  readonly waiting: number;
}

/** The place of a chat in a service under load. */
export interface Slot {
  /** How many times as long it takes as alone. */
  readonly factor: number;
  readonly queuedMs: number;
  /** Undefined: it is answered. */
  readonly refusal: LoadRefusal | undefined;
  /** Makes room for the next one. To be called once, when the answer is over. */
  readonly leave: () => void;
}

/** Who asks for a place. */
export interface Arrival {
  readonly model: string;
  readonly key: string | undefined;
  /** Read only when it has to wait. */
  readonly call: { readonly signal: AbortSignal };
}

const nothing = (): void => undefined;

/** The chats that share one capacity. */
class Gate {
  running = 0;
  /** In order of arrival. Each begins one of them. */
  readonly waiting: Set<() => void> = new Set();
  readonly #rule: LoadRule;
  readonly #now: () => number;
  /** Called when nothing runs any more, and so nothing waits. */
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

  /** Grows evenly from 1, for a chat alone, to `timeFactor` at full capacity. */
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
      // Nobody reads this refusal.
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

/** Chats at one moment. */
export interface LoadCounts {
  readonly running: number;
  readonly waiting: number;
}

/** A service that answers only so many chats at the same time. */
export class ChatLoad {
  readonly #rules: readonly LoadRule[];
  readonly #now: () => number;
  /** Those with chats in them. */
  readonly #gates: Map<string, Gate> = new Map();

  /** `now` measures how long chats wait. */
  constructor(rules: readonly LoadRule[], now: () => number) {
    this.#rules = rules;
    this.#now = now;
  }

  /** Gives a chat its place, at once or when it is its turn. The first rule for its model counts. Undefined: no rule. */
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

  /** All chats together. */
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
