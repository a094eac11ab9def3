/**
 * Asks for all who want to know at the same time at once. Nobody gets an answer to a question that was asked before they
 * came: that could be out of date.
 */
export class SharedQuestion<Answer> {
  readonly #ask: () => Promise<Answer>;
  /** Settles when the question that is on its way is answered. */
  #running: Promise<void> | undefined;
  #next: Promise<Answer> | undefined;

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask;
  }

  ask(): Promise<Answer> {
    if (this.#running === undefined) return this.#start();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }

  #start(): Promise<Answer> {
    const answer = this.#ask();
    const over = (): void => {
      if (this.#running === running) this.#running = undefined;
    };
    const running = answer.then(over, over);
    this.#running = running;
    return answer;
  }
}
